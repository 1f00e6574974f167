/**
 * Calls every operation of a pod on every surface with every kind of credential, on one storage. Compares the answers
 * with an independent model of the access rules.
 */
import { assert, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { aPod, type Storage, type TestPod } from "../support/pod.ts"
import { aScene, type Scene, validCallers, invalidCallers } from "./callers.ts"
import { everyNth } from "../support/everyNth.ts"
import { type Ledger, ledgerOf } from "./ledger.ts"
import type { Approach } from "./surfaces.ts"
import { allApproaches, walk } from "./walk.ts"

/**
 * The callers whose answers differ most. On the other storages, and on the second path under which the pod serves the
 * Hub, the tests use only these callers.
 */
export const aFew = new Set([
  "nobody",
  "a key that was never stored",
  "an expired key",
  "a revoked key beside a living session",
  "a key for everything",
  "a key from before grants",
  "a key that may only read the Hub",
  "a key that reads knowledge",
  "a key that only creates notes",
  "a key whose grant lists nothing",
  "a key for everything in one workspace",
  "a key made for one workspace",
  "an agent's key for everything"
])

// This is enough time to call every operation of the pod with thirty callers.
export const patient = { timeout: 600_000 }

export const doorWalk = (storage: () => Storage, options: { readonly only?: ReadonlySet<string> }) => {
  let pod: TestPod
  let scene: Scene
  let ledger: Ledger
  let ways: ReadonlyArray<Approach>
  let waysTwice: ReadonlyArray<Approach>
  beforeAll(async () => {
    const kept = storage()
    pod = await aPod(kept, {}, { hasSocket: true })
    scene = await aScene(pod)
    ledger = ledgerOf(pod, kept)
    ways = await allApproaches(pod, false)
    waysTwice = options.only === undefined ? await allApproaches(pod, true) : ways
  })
  afterAll(() => pod.stop())

  const isAsked = (name: string) => options.only?.has(name) ?? true

  const walked = async (visitors: Awaited<ReturnType<typeof validCallers>>) => {
    const faults: Array<string> = []
    for (const [turn, visitor] of visitors.entries()) {
      const walked = everyNth(aFew.has(visitor.name) ? waysTwice : ways, turn, 4)
      for (const fault of await walk(visitor, walked, ledger)) faults.push(`${visitor.name}: ${fault}`)
    }
    return faults
  }

  it("the hash of all stored data changes with every write, and does not change when the pod refuses a request", async () => {
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.create"] } })
    const before = await ledger.digest()
    assert.strictEqual((await key.send("DELETE", "/api/hub/knowledge/some")).status, 403)
    assert.strictEqual(await ledger.digest(), before)
    assert.strictEqual((await key.send("POST", "/api/hub/entities", { title: "x" })).status, 200)
    assert.notStrictEqual(await ledger.digest(), before)
  })

  it(
    "every operation that needs a credential refuses a caller without a valid credential, and the pod writes no event about the refusal",
    patient,
    async () => {
      assert.deepStrictEqual(await walked((await invalidCallers(scene)).filter(({ name }) => isAsked(name))), [])
    }
  )

  it(
    "every operation accepts and refuses the callers as the test model expects, and each refusal contains the id of the event that records it",
    patient,
    async () => {
      assert.deepStrictEqual(await walked(await validCallers(scene, options.only)), [])
    }
  )
}
