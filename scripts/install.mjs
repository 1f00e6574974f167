/** Installs the packages of the lockfile when they are not there yet, or are not those. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../", import.meta.url))

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/** Ends the process with the command's own code when it fails. */
export const run = (command, args, options = {}) => {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options })
  if (error !== undefined) fail(`${command} could not be run: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

const nodeLeast = [20, 19]

/** Whatever runs here needs this much of Node. */
export const checkNode = () => {
  const [major, minor] = process.versions.node.split(".").map(Number)
  if (major > nodeLeast[0] || (major === nodeLeast[0] && minor >= nodeLeast[1])) return
  fail(`The pod needs Node ${nodeLeast.join(".")} or later; this is ${process.versions.node}.`)
}

const marker = `${root}node_modules/.installed-from`

export const install = () => {
  checkNode()
  const lock = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .digest("hex")
  if (existsSync(marker) && readFileSync(marker, "utf8") === lock) return
  process.stdout.write("  Installing the packages of the lockfile …\n")
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"])
  writeFileSync(marker, lock)
}
