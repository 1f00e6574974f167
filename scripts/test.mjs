/**
 * `npm test`, `npm run test:browser`, `npm run test:docs` and `npm run test:long`: installs the packages, runs the suites, and prints the
 * number of tests.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { install, root } from "./install.mjs"

install()

const configs = {
  "--browser": "vitest.browser.config.ts",
  "--docs": "vitest.docs.config.ts",
  "--long": "vitest.long.config.ts"
}
const [which] = process.argv.slice(2)
const config = configs[which]
const results = `${root}.test-state/results.json`
mkdirSync(`${root}.test-state`, { recursive: true })
rmSync(results, { force: true })
const { status } = spawnSync(
  process.execPath,
  [
    `${root}node_modules/vitest/vitest.mjs`,
    "run",
    ...(config === undefined ? [] : ["--config", config]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${results}`,
    ...process.argv.slice(config === undefined ? 2 : 3)
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
