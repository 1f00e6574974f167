/** Installs the packages of the lockfile when they are not there yet, or are not those. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
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

/** By path, what a lockfile says is there; undefined when there is no such file, or it was cut off. */
const packagesOf = (lockfile) => {
  try {
    return JSON.parse(readFileSync(lockfile, "utf8")).packages
  } catch {
    return undefined
  }
}

/**
 * Whether the packages of the lockfile are there. npm ends every install, whoever asked for it, by writing down beside
 * the packages what it put there: an install is complete when that list has each package in the version of the lockfile
 * and no other, and the folders are there. What is made for other systems is missing, and may be.
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
