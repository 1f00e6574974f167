/** `npm test` and `npm run test:long`: installs, runs every test of the suite, and says how many there were. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { install, root } from "./install.mjs"

install()

const isLong = process.argv.includes("--long")
const results = `${root}.test-state/results.json`
mkdirSync(`${root}.test-state`, { recursive: true })
rmSync(results, { force: true })
const { status } = spawnSync(
  process.execPath,
  [
    `${root}node_modules/vitest/vitest.mjs`,
    "run",
    ...(isLong ? ["--config", "vitest.long.config.ts"] : []),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${results}`,
    ...process.argv.slice(2).filter((argument) => argument !== "--long")
  ],
  { cwd: root, stdio: "inherit" }
)
try {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, "utf8"))
  process.stdout.write(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`)
} catch {
  process.stdout.write("\n0 passed, 0 failed\n")
}
process.exit(status ?? 1)
