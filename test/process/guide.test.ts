/** The guide of ARCHITECTURE.md that adds an operation: what it makes answers as it says. `npm run check` compiles it. */
import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import { copyWithGuide } from "../../scripts/guide.mjs"

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
const configOf = (image: string | null) =>
  `export default { test: {
  include: ["test/**/*.test.ts"],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  poolOptions: { forks: { singleFork: true, isolate: false } },
  provide: ${JSON.stringify({ pgliteImage: image })}
} }\n`

/** The output of a program that failed, or nothing. */
const failureOf = (folder: string, ...told: ReadonlyArray<string>) =>
  new Promise<string>((resolve) =>
    execFile(process.execPath, [...told], { cwd: folder }, (failure, out, errors) =>
      resolve(failure === null ? "" : `${out}${errors}`)
    )
  )

it("the steps of the developer guide add an operation that answers, and refuses callers without access", async () => {
  const { files, folder } = copyWithGuide()
  const suites = files.filter((file) => file.endsWith(".test.ts"))
  assert.isAbove(suites.length, 0, "the guide tests what it adds")
  const walk = "test/features/entities/entityCountWalk.test.ts"
  writeFileSync(join(folder, walk), walkOfIt)
  writeFileSync(join(folder, "vitest.config.mjs"), configOf(inject("pgliteImage")))
  assert.strictEqual(await failureOf(folder, "node_modules/vitest/vitest.mjs", "run", ...suites, walk), "")
  rmSync(folder, { recursive: true, force: true })
})
