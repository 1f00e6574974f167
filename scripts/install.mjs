/** Installs the packages of the lockfile if a package is missing or has another version. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../", import.meta.url))

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/** Runs a command. If the command fails, this process ends with the exit code of the command. */
export const run = (command, args, options = {}) => {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options })
  if (error !== undefined) fail(`${command} could not be run: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

const nodeLeast = [20, 19]

/** Ends the process if the version of Node is older than the scripts and the pod need. */
export const checkNode = () => {
  const [major, minor] = process.versions.node.split(".").map(Number)
  if (major > nodeLeast[0] || (major === nodeLeast[0] && minor >= nodeLeast[1])) return
  fail(`The pod needs Node ${nodeLeast.join(".")} or later; this is ${process.versions.node}.`)
}

/** Returns the packages in a lockfile, by path. Returns undefined if the file does not exist or is incomplete. */
const packagesOf = (lockfile) => {
  try {
    return JSON.parse(readFileSync(lockfile, "utf8")).packages
  } catch {
    return undefined
  }
}

/**
 * True if all packages of the lockfile are installed. At the end of every install, npm writes a list of the installed
 * packages into `node_modules`. The install is complete if this list has the same packages in the same versions as the
 * lockfile, and if their folders exist. Optional packages, such as packages for other systems, need not be installed.
 */
const isInstalled = () => {
  const { "": _, ...wanted } = packagesOf(`${root}package-lock.json`)
  const found = packagesOf(`${root}node_modules/.package-lock.json`)
  if (found === undefined) return false
  const isThere = ([path, { version, integrity, optional }]) =>
    path in found
      ? found[path].version === version && found[path].integrity === integrity && existsSync(root + path)
      : optional === true
  return Object.entries(wanted).every(isThere) && Object.keys(found).every((path) => path in wanted)
}

export const install = () => {
  checkNode()
  if (isInstalled()) return
  const output = process.stdout.isTTY ? process.stdout : process.stderr
  output.write("  ▸ Installing the packages of the lockfile …\n")
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"])
}
