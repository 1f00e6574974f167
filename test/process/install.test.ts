/**
 * The npm scripts of this project install missing packages. They install nothing if all packages are there, however
 * they were installed.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { aFolder, type Folder } from "../support/builtPod.ts"
import { projectRoot } from "../support/migrations.ts"

type Packages = Record<string, { version?: string; optional?: boolean }>

const packages: Packages = {
  "node_modules/one": { version: "1.0.0" },
  "node_modules/one/node_modules/two": { version: "2.0.0" },
  "node_modules/elsewhere": { version: "3.0.0", optional: true }
}

let folder: Folder
const at = (...parts: ReadonlyArray<string>) => join(folder.path, ...parts)
/** Writes the files that npm leaves after an install: first the package folders, and last the list of packages. */
const putThere = (all: Packages) => {
  const found = Object.fromEntries(Object.entries(all).filter(([, { optional }]) => optional !== true))
  for (const path of Object.keys(found)) mkdirSync(at(path), { recursive: true })
  writeFileSync(at("node_modules/.package-lock.json"), JSON.stringify({ packages: found }))
}
beforeEach(() => {
  folder = aFolder()
  for (const name of ["scripts", "bin", "node_modules"]) mkdirSync(at(name))
  cpSync(`${projectRoot}scripts/install.mjs`, at("scripts/install.mjs"))
  writeFileSync(at("package-lock.json"), JSON.stringify({ packages: { "": {}, ...packages } }))
  writeFileSync(at("bin/npm"), `#!/bin/sh\necho "$@" >> "${at("asked")}"\n`, { mode: 0o755 })
  putThere(packages)
})
afterEach(() => folder.remove())

/** Runs the install script. Returns the arguments of its calls of npm, or an empty text if it did not call npm. */
const askedOfNpm = () => {
  const program = `await import(${JSON.stringify(`file://${at("scripts/install.mjs")}`)}).then((it) => it.install())`
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    env: { PATH: `${at("bin")}:${process.env["PATH"]}` },
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stderr)
  return existsSync(at("asked")) ? readFileSync(at("asked"), "utf8") : ""
}

describe("the npm scripts", () => {
  it("the npm scripts do not reinstall the packages that `npm ci` has already installed", () =>
    assert.strictEqual(askedOfNpm(), ""))

  const incomplete: Readonly<Record<string, () => void>> = {
    "no package is installed": () => rmSync(at("node_modules"), { recursive: true }),
    "an earlier install was interrupted": () => rmSync(at("node_modules/.package-lock.json")),
    "the list of installed packages was cut off": () =>
      writeFileSync(at("node_modules/.package-lock.json"), '{"packages": {"node_mod'),
    "a package has another version": () => putThere({ ...packages, "node_modules/one": { version: "1.0.1" } }),
    "a package is missing in the list of installed packages": () =>
      putThere({ "node_modules/one": { version: "1.0.0" } }),
    "a package was removed by hand": () => rmSync(at("node_modules/one/node_modules/two"), { recursive: true }),
    "a package is installed that the lockfile no longer contains": () =>
      putThere({ ...packages, "node_modules/former": { version: "1.0.0" } })
  }
  for (const [what, spoil] of Object.entries(incomplete)) {
    it(`the npm scripts install the packages if ${what}`, () => {
      spoil()
      assert.match(askedOfNpm(), /^ci /)
    })
  }
})
