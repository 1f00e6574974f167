/** Rankings on each storage: who is refused, what is ranked, how often, and that hidden entities leave no trace. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, TestClock } from "effect"
import { Reach } from "../../../src/doors/Reach.ts"
import { Centralities } from "../../../src/features/centrality/Centralities.ts"
import { CentralityStore } from "../../../src/features/centrality/CentralityStore.ts"
import { pageRank } from "../../../src/features/centrality/PageRank.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { aReach } from "../../support/reach.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/centrality"

describe("PageRank", () => {
  it("PageRank puts the middle of a star first, its scores sum up to 1, and the order of the relations does not change them", () => {
    const edges = ["a", "b", "c"].map((source) => ({ source, target: "middle" }))
    const scores = pageRank(edges)
    assert.deepStrictEqual(
      scores.map(({ id }) => id),
      ["middle", "a", "b", "c"]
    )
    assert.approximately(
      scores.reduce((sum, { score }) => sum + score, 0),
      1,
      1e-6
    )
    assert.deepStrictEqual(pageRank(edges.toReversed()), scores)
    assert.deepStrictEqual(pageRank([]), [])
  })
})

describe("computing a ranking of the most connected entities", () => {
  const reach = aReach()
  const counted = (edges: Effect.Effect<ReadonlyArray<{ source: string; target: string }>>) => {
    let runs = 0
    const store = Layer.succeed(CentralityStore, {
      edges: Effect.zipRight(
        Effect.sync(() => void (runs += 1)),
        edges
      ),
      keep: () => Effect.void,
      ranking: Effect.succeed(null)
    })
    return { layer: Centralities.layer.pipe(Layer.provide(store)), runs: () => runs }
  }
  const recompute = Effect.provideService(
    Effect.flatMap(Centralities, (service) => service.recompute),
    Reach,
    reach
  )

  it.effect(
    "two requests at the same moment compute the ranking once, and the next computation is possible after a minute",
    () =>
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void>()
        const { layer, runs } = counted(Effect.as(Deferred.await(gate), []))
        yield* Effect.gen(function* () {
          const one = yield* Effect.fork(recompute)
          yield* Effect.yieldNow()
          assert.deepStrictEqual(yield* recompute, { triggered: true })
          yield* Deferred.succeed(gate, undefined)
          assert.deepStrictEqual(yield* Fiber.join(one), { triggered: true })
          assert.strictEqual(runs(), 1)
          const refused = yield* recompute
          assert.deepStrictEqual([refused.triggered, typeof refused.note], [false, "string"])
          yield* TestClock.adjust("61 seconds")
          assert.deepStrictEqual(yield* recompute, { triggered: true })
          assert.strictEqual(runs(), 2)
        }).pipe(Effect.provide(layer))
      })
  )

  it.effect(
    "the caller gets no detail of a failed ranking, and a ranking that cannot be read gives a note in the answer",
    () =>
      Effect.gen(function* () {
        const failing = Layer.succeed(CentralityStore, {
          edges: Effect.die(new Error("secret")),
          keep: () => Effect.void,
          ranking: Effect.die(new Error("secret"))
        })
        const status = yield* Effect.flatMap(Centralities, (service) => service.status).pipe(
          Effect.provideService(Reach, reach),
          Effect.provide(Centralities.layer.pipe(Layer.provide(failing)))
        )
        const { note, ...rest } = status
        assert.deepStrictEqual(rest, {
          computed: false,
          rows: 0,
          lastComputedAt: null,
          oldestComputedAt: null,
          top: []
        })
        assert.notInclude(note, "secret")
      })
  )
})

for (const [where, storage] of storages) {
  describe(`rankings of the most connected entities ${where}`, () => {
    let pod: TestPod
    let ids: ReadonlyArray<string>
    const made = async (at: string, body: object, caller: Caller = pod.owner) => {
      const answer = await caller.send("POST", `/api/hub/${at}`, body)
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.id as string
    }
    const status = async (caller: Caller = pod.owner) => (await caller.send("GET", `${path}/status`)).body

    beforeAll(async () => {
      pod = await aPod(storage)
      const all: Array<string> = []
      for (const title of ["middle", "one", "two"]) all.push(await made("entities", { title, profileSlug: "note" }))
      ids = all
      for (const id of all.slice(1)) {
        await made("relations", { sourceEntityId: id, targetEntityId: all[0], type: "mentions" })
      }
    }, 60_000)
    afterAll(() => pod?.stop())

    it("a key with a narrow grant is refused, and a caller for whom no ranking was computed gets a note", async () => {
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity", "relation"] } })
      for (const [method, at] of [
        ["GET", "status"],
        ["POST", "recompute"]
      ] as const) {
        assert.strictEqual((await pod.stranger.send(method, `${path}/${at}`)).status, 401)
        const { body, status } = await key.send(method, `${path}/${at}`)
        assert.deepStrictEqual([status, body.code], [403, "GRANT_DOOR_UNSUPPORTED"])
      }
      const { computed, note, rows, top } = await status()
      assert.deepStrictEqual([computed, rows, top, typeof note], [false, 0, [], "string"])
    })

    it("the most connected entity is first in the ranking, an archived entity disappears from it, and another person sees no ranking", async () => {
      const answer = await pod.owner.send("POST", `${path}/recompute`)
      assert.deepStrictEqual([answer.status, answer.body], [200, { triggered: true }])
      const found = await status()
      assert.deepStrictEqual([found.computed, found.rows, found.top[0].title], [true, 3, "middle"])
      assert.notProperty(found, "note")
      assert.isFalse((await pod.owner.send("POST", `${path}/recompute`)).body.triggered)
      await pod.owner.send("DELETE", `/api/hub/entities/${ids[0]}`)
      const later = await status()
      assert.strictEqual(later.rows, 2)
      assert.notInclude(JSON.stringify(later), "middle")
      const other = await pod.aPerson()
      assert.isFalse((await status(other)).computed)
      assert.deepStrictEqual((await other.send("POST", `${path}/recompute`, {})).body, { triggered: true })
      assert.deepInclude(await status(other), { computed: true, rows: 0, top: [] })
    })
  })
}
