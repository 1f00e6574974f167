/**
 * Copies the sources, and follows a guide of ARCHITECTURE.md in the copy, block by block. The guide adds an operation.
 * If this file runs as a program, it also compiles the copy.
 */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { root } from "./install.mjs"

const heading = "## Add an operation in ten minutes"
const firstLine = /^\/\/ (\S+\.ts)(?:, (above|below|in place of): (.+))?$/

/**
 * Returns the code blocks of the guide. If the lines of a block go into an existing file, `place` contains the text of
 * one line of this file. The new lines go above this line, go below it, or replace it. Spaces around the text do not
 * matter.
 */
const blocksOf = (page) => {
  const [, section = ""] = page.split(`${heading}\n`)
  const [guide = ""] = section.split("\n## ")
  return [...guide.matchAll(/^( *)```ts\n([\s\S]*?)^ *```$/gm)].map(([, indent = "", text = ""]) => {
    const [first = "", ...lines] = text.split("\n").map((line) => line.slice(indent.length))
    const [, file, how, anchor] = firstLine.exec(first) ?? []
    if (file === undefined) throw new Error(`A block of the guide does not say where it goes: ${first}`)
    return { file, place: anchor === undefined ? undefined : { how, anchor }, lines: lines.slice(0, -1) }
  })
}

const apply = (folder, { file, lines, place }) => {
  const path = join(folder, file)
  if (place === undefined) {
    assert(!existsSync(path), `the guide makes ${file}, which is there already`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, [...lines, ""].join("\n"))
    return
  }
  const present = readFileSync(path, "utf8").split("\n")
  const found = present.flatMap((line, at) => (line.trim() === place.anchor.trim() ? [at] : []))
  assert.equal(found.length, 1, `${file} has one line that reads: ${place.anchor}`)
  const [at = 0] = found
  const [begin, dropped] = place.how === "above" ? [at, 0] : place.how === "below" ? [at + 1, 0] : [at, 1]
  writeFileSync(path, present.toSpliced(begin, dropped, ...lines).join("\n"))
}

/**
 * Copies the sources, and follows the guide in the copy. Returns the folder of the copy, and the files that the guide
 * adds or changes. The caller removes the copy.
 */
export const copyWithGuide = () => {
  const folder = mkdtempSync(join(tmpdir(), "pod-guide-"))
  for (const name of ["src", "test", "scripts", "types", "migrations", "pages", "package.json", "tsconfig.json"]) {
    cpSync(root + name, join(folder, name), {
      recursive: true,
      filter: (path) => !/\.test\.ts$|test\/(?:clients|long|browser)\b/.test(path)
    })
  }
  symlinkSync(`${root}node_modules`, join(folder, "node_modules"))
  const blocks = blocksOf(readFileSync(`${root}ARCHITECTURE.md`, "utf8"))
  for (const block of blocks) apply(folder, block)
  return { folder, files: blocks.map(({ file }) => file) }
}

/**
 * Compiles the server, the tests that the guide adds or changes, and all files that they import. Also compiles
 * `globalSetup.ts`, because it declares the types of the values that a test run provides.
 */
const compile = () => {
  const { files, folder } = copyWithGuide()
  const include = ["src", "test/support/globalSetup.ts", ...files]
  writeFileSync(join(folder, "tsconfig.guide.json"), JSON.stringify({ extends: "./tsconfig.json", include }))
  const compiler = `${root}node_modules/typescript/bin/tsc`
  const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.guide.json", "--noEmit"], {
    cwd: folder,
    stdio: "inherit"
  })
  rmSync(folder, { recursive: true, force: true })
  return status ?? 1
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(compile())
