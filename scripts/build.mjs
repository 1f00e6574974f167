/** Builds dist/ from src/. Does nothing if dist/ was already built from the same sources. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { buildConsole } from "./buildConsole.mjs"
import { buildImages, folder as imageFolder } from "./embeddedImage.mjs"
import { root } from "./install.mjs"
import { replaceFolder } from "./replaceFolder.mjs"

/** Returns a hash of the names and contents of files. The names are relative to the root of the project. */
const digestOf = (names) => {
  const digest = createHash("sha256")
  for (const name of names.sort()) digest.update(name).update(readFileSync(`${root}${name}`))
  return digest.digest("hex")
}

const isOfConsole = (name) => name.startsWith("console/")
const filesBelowSrc = () =>
  readdirSync(`${root}src`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(`${root}src/`.length))

/**
 * Runs `make` if the sources have changed since the build that wrote the file `marker`. Before that, it runs `before`.
 */
const unlessBuilt = async (marker, what, sources, make, before) => {
  const digest = digestOf(sources)
  if (existsSync(marker) && readFileSync(marker, "utf8") === digest) return
  await before?.()
  // Programs read the log lines of the pod on standard output. So progress messages go to standard error, unless
  // standard output is a terminal.
  const output = process.stdout.isTTY ? process.stdout : process.stderr
  output.write(`  ▸ Building ${what} … `)
  const beganMs = performance.now()
  await make()
  output.write(`${((performance.now() - beganMs) / 1000).toFixed(1)} s (skipped next time, unless sources change)\n`)
  writeFileSync(marker, digest)
}

const buildServer = async () => {
  // The import is not at the top of the file, because a first start installs the packages of this module after it has
  // loaded this file.
  const { bundlePod } = await import("./bundle.mjs")
  await replaceFolder(`${root}dist`, ["console", "embedded"], bundlePod)
}

/** `beforeOthers` runs when the pod is built, but only if the console or the empty database must be built too. */
export const build = async (beforeOthers) => {
  const files = filesBelowSrc()
  const server = files.filter((name) => !isOfConsole(name)).map((name) => `src/${name}`)
  const pages = files.filter((name) => isOfConsole(name) || name.startsWith("shared/")).map((name) => `src/${name}`)
  await unlessBuilt(
    `${root}dist/.built-from`,
    "the pod",
    [...server, "package-lock.json", "scripts/bundle.mjs", "scripts/starter.mjs"],
    buildServer
  )
  await unlessBuilt(
    `${root}dist/console/.built-from`,
    "the console",
    [...pages, "package-lock.json", "scripts/buildConsole.mjs"],
    buildConsole,
    beforeOthers
  )
  await unlessBuilt(
    `${imageFolder}/.built-from`,
    "the empty database",
    [
      "node_modules/@electric-sql/pglite/package.json",
      "scripts/embeddedImage.mjs",
      "src/platform/Migrations.ts",
      ...readdirSync(`${root}migrations`).map((name) => `migrations/${name}`)
    ],
    buildImages,
    beforeOthers
  )
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build()
