/**
 * Follows the guide in ARCHITECTURE.md that adds an operation, and runs the tests of the guide. `npm run check`
 * compiles the code of the guide.
 */
import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import { copyWithGuide } from "../../scripts/guide.mjs"

/** A test that the guide does not contain. It calls the new operation with every kind of credential. */
const walkOfIt = `/** The walk through the doors, of one operation. */
import { assert, it } from "@effect/vitest"
import { aScene, validCallers, invalidCallers } from "../../doors/callers.ts"
import { ledgerOf } from "../../doors/ledger.ts"
import { allApproaches, walk } from "../../doors/walk.ts"
import { aPod } from "../../support/pod.ts"

it("if a developer adds an operation as the developer guide describes, the operation accepts and refuses exactly the callers that the access rules say", async () => {
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

/**
 * Returns the Vitest configuration for the copied project. The copied project uses the PGlite image of this test run,
 * and nothing else of the run.
 */
const configOf = (image: string | null) =>
  `export default { test: {
  include: ["suites/suite*.js"],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  poolOptions: { forks: {
    singleFork: true,
    isolate: false,
    execArgv: ["--max-semi-space-size=64", "--liftoff-only", "--single-threaded-gc"]
  } },
  provide: ${JSON.stringify({ pgliteImage: image })}
} }\n`

/**
 * Bundles the suites, because Vitest would need most of its time to transform the thousand modules that they load. In
 * the bundle each source keeps its own file URL, so it still finds the files beside it.
 */
const bundleSuites = `import { pathToFileURL } from "node:url"
import { bundleModules, isPackage } from "./scripts/bundle.mjs"
const input = Object.fromEntries(process.argv.slice(1).map((path, at) => ["suite" + at, path]))
const addressOf = (source) => JSON.stringify(pathToFileURL(source).href)
await bundleModules(input, "suites", { addressOf, external: isPackage })`

/** Runs a program. Returns its output if it failed, or an empty text if it succeeded. */
const failureOf = (folder: string, ...programArguments: ReadonlyArray<string>) =>
  new Promise<string>((resolve) =>
    execFile(process.execPath, [...programArguments], { cwd: folder }, (failure, out, errors) =>
      resolve(failure === null ? "" : `${out}${errors}`)
    )
  )

it("an operation that is added as the developer guide describes passes its tests and the walk", async () => {
  const { files, folder } = copyWithGuide()
  const suites = files.filter((file) => file.endsWith(".test.ts"))
  assert.isAbove(suites.length, 0, "the guide tests what it adds")
  const walk = "test/features/entities/entityCountWalk.test.ts"
  writeFileSync(join(folder, walk), walkOfIt)
  writeFileSync(join(folder, "vitest.config.mjs"), configOf(inject("pgliteImage")))
  const paths = [...suites, walk].map((file) => join(folder, file))
  assert.strictEqual(await failureOf(folder, "--input-type=module", "-e", bundleSuites, ...paths), "")
  assert.strictEqual(await failureOf(folder, "node_modules/vitest/vitest.mjs", "run"), "")
  rmSync(folder, { recursive: true, force: true })
})
