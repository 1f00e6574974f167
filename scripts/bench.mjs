/** Entry of `npm run bench`: builds the pod when its sources are newer than its build, compiles the benchmark, runs it. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc")

const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" })
  if (status !== 0) process.exit(status ?? 1)
}

const newestIn = (folder) =>
  Math.max(
    ...readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => statSync(join(root, folder, name)).mtimeMs
    )
  )

const built = join(root, "dist", "main.js")
const isBuildStale = !existsSync(built) || statSync(built).mtimeMs < newestIn("src")
if (isBuildStale && !process.argv.includes("--dist")) run(compiler, "-p", "tsconfig.build.json")
run(compiler, "-p", "bench/tsconfig.json")
run("--enable-source-maps", ".test-state/bench/bench/main.js", ...process.argv.slice(2))
