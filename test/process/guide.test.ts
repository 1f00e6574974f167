/** The guide of ARCHITECTURE.md that adds an operation is followed, block by block, in a copy of the sources: it must be true. */
import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { inject } from "vitest"
import { aFolder } from "../support/builtPod.ts"
import { projectRoot } from "../support/migrations.ts"
import type { Images } from "../support/preparedImage.ts"

const heading = "## Add an operation in ten minutes"

interface Block {
  readonly file: string
  /** Where the lines go in a file that is there: at the one line that reads so, spaces at its ends aside. */
  readonly place: { readonly how: "above" | "below" | "in place of"; readonly anchor: string } | undefined
  readonly lines: ReadonlyArray<string>
}

const firstLine = /^\/\/ (\S+\.ts)(?:, (above|below|in place of): (.+))?$/

const blocksOf = (page: string): ReadonlyArray<Block> => {
  const [, section = ""] = page.split(`${heading}\n`)
  const [guide = ""] = section.split("\n## ")
  return [...guide.matchAll(/^( *)```ts\n([\s\S]*?)^ *```$/gm)].map(([, indent = "", text = ""]) => {
    const [first = "", ...lines] = text.split("\n").map((line) => line.slice(indent.length))
    const [, file, how, anchor] = firstLine.exec(first) ?? []
    if (file === undefined) throw new Error(`A block of the guide does not say where it goes: ${first}`)
    return {
      file,
      place: anchor === undefined ? undefined : { how: how as "above" | "below" | "in place of", anchor },
      lines: lines.slice(0, -1)
    }
  })
}

const apply = (folder: string, { file, lines, place }: Block): void => {
  const path = join(folder, file)
  if (place === undefined) {
    assert.isFalse(existsSync(path), `the guide makes ${file}, which is there already`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, [...lines, ""].join("\n"))
    return
  }
  const present = readFileSync(path, "utf8").split("\n")
  const found = present.flatMap((line, at) => (line.trim() === place.anchor.trim() ? [at] : []))
  assert.lengthOf(found, 1, `${file} has one line that reads: ${place.anchor}`)
  const [at = 0] = found
  const [begin, dropped] = place.how === "above" ? [at, 0] : place.how === "below" ? [at + 1, 0] : [at, 1]
  writeFileSync(path, present.toSpliced(begin, dropped, ...lines).join("\n"))
}

/** In addition to the guide: the walk of the new operation with every kind of credential, which finds the operation by itself. */
const walkOfIt = `/** The walk through the doors, of one operation. */
import { assert, it } from "@effect/vitest"
import { aScene, validCallers, invalidCallers } from "../../doors/callers.ts"
import { ledgerOf } from "../../doors/ledger.ts"
import { allApproaches, walk } from "../../doors/walk.ts"
import { aPod } from "../../support/pod.ts"

it("an operation that is added by the developer guide accepts and refuses the same callers as the model", async () => {
  const pod = await aPod({ kind: "memory" })
  const scene = await aScene(pod)
  const ways = (await allApproaches(pod, true)).filter(({ operation }) => operation.name === "entities.count")
  assert.isAbove(ways.length, 0)
  const faults: Array<string> = []
  for (const visitor of [...(await invalidCallers(scene)), ...(await validCallers(scene))]) {
    for (const fault of await walk(visitor, ways, ledgerOf(pod, { kind: "memory" }))) faults.push(visitor.name + ": " + fault)
  }
  assert.deepStrictEqual(faults, [])
  await pod.stop()
})
`

/** The suite of the copy opens the image that this run has prepared, and needs nothing else of this run. */
const configOf = (images: Images | null) =>
  `export default { test: {
  include: ["test/**/*.test.ts"],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  poolOptions: { forks: { singleFork: true, isolate: false } },
  provide: ${JSON.stringify({ pgliteImages: images })}
} }\n`

/** Compiles the server, the tests that the guide adds or changes, and all that these import. `globalSetup` declares what a run provides. */
const compiledOf = (files: ReadonlyArray<string>) =>
  JSON.stringify({ extends: "./tsconfig.json", include: ["src", "test/support/globalSetup.ts", ...files] })

const aCopy = () => {
  const folder = aFolder()
  for (const name of ["src", "test", "types", "migrations", "pages", "package.json", "tsconfig.json"]) {
    cpSync(projectRoot + name, join(folder.path, name), {
      recursive: true,
      filter: (path) => !/\.test\.ts$|test\/(?:clients|long|browser)\b/.test(path)
    })
  }
  symlinkSync(`${projectRoot}node_modules`, join(folder.path, "node_modules"))
  return folder
}

/** The output of a program that failed, or nothing. */
const failureOf = (folder: string, ...told: ReadonlyArray<string>) =>
  new Promise<string>((resolve) =>
    execFile(process.execPath, [...told], { cwd: folder }, (failure, out, errors) =>
      resolve(failure === null ? "" : `${out}${errors}`)
    )
  )

it("the steps of the developer guide add an operation that compiles, answers and refuses callers without access", async () => {
  const folder = aCopy()
  const blocks = blocksOf(readFileSync(`${projectRoot}ARCHITECTURE.md`, "utf8"))
  for (const block of blocks) apply(folder.path, block)
  const suites = blocks.map(({ file }) => file).filter((file) => file.endsWith(".test.ts"))
  assert.isAbove(suites.length, 0, "the guide tests what it adds")
  const walk = "test/features/entities/entityCountWalk.test.ts"
  writeFileSync(join(folder.path, walk), walkOfIt)
  writeFileSync(join(folder.path, "tsconfig.guide.json"), compiledOf([...blocks.map(({ file }) => file), walk]))
  writeFileSync(join(folder.path, "vitest.config.mjs"), configOf(inject("pgliteImages")))
  assert.deepStrictEqual(
    await Promise.all([
      // Several checkers check much of the library types each, which takes the processor time of a second compilation.
      failureOf(folder.path, "node_modules/typescript/bin/tsc", "-p", "tsconfig.guide.json", "--singleThreaded"),
      failureOf(folder.path, "node_modules/vitest/vitest.mjs", "run", ...suites, walk)
    ]),
    ["", ""]
  )
  folder.remove()
})
