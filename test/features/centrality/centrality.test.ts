/**
 * Rankings on each storage: who is refused, which entities are ranked, and how often the pod computes a ranking. Hidden
 * entities have no influence.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Layer, Queue, Schedule, type Scope } from "effect"
import { Reach } from "../../../src/doors/Reach.ts"
import { Centralities } from "../../../src/features/centrality/Centralities.ts"
import { CentralityQueue } from "../../../src/features/centrality/CentralityQueue.ts"
import { CentralityStore, type Ranking } from "../../../src/features/centrality/CentralityStore.ts"
import { AccountStore } from "../../../src/features/people/AccountStore.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { Revocations } from "../../../src/doors/Revocations.ts"
import { MemoryDatabase } from "../../../src/platform/MemoryDatabase.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import * as StoresLayer from "../../../src/Stores.ts"
import { standing } from "../../support/standing.ts"
import { aPerson, aPersonRow } from "../../support/people.ts"
import { aPassed } from "../../support/passed.ts"
import { onEachEngine, type Stores, withReach } from "../../support/stores.ts"
import { aStoredKey } from "../../doors/callers.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { aReach } from "../../support/reach.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/centrality"

/** Waits until all jobs that compute rankings have ended. */
const settled = Effect.gen(function* () {
  const { states } = yield* Jobs
  const state = (yield* states).find(({ queue }) => queue === CentralityQueue.name)
  if (state !== undefined && state.waiting + state.running > 0) return yield* Effect.fail("not yet" as const)
}).pipe(Effect.retry({ while: (error) => error === "not yet", schedule: Schedule.spaced("10 millis") }))

const recomputeAs = (personId: string) =>
  Effect.flatMap(Centralities, ({ recompute }) => Effect.provideService(recompute, Reach, aReach({ personId })))

/**
 * Starts the service that computes rankings, on these stores. The service ends when the `Scope` closes. `act` runs
 * before the relations are read. `kept` gets the id of each person whose ranking was stored.
 */
const aRankingPod = (act: Effect.Effect<unknown>, ranking?: Ranking) =>
  Effect.gen(function* () {
    const store = yield* CentralityStore
    const kept = yield* Queue.unbounded<string>()
    const keep: typeof store.keep = (scores) =>
      Effect.zipRight(
        store.keep(scores),
        Effect.flatMap(Reach, ({ principal }) => Queue.offer(kept, principal.personId))
      )
    const watched = Layer.succeed(CentralityStore, {
      edges: Effect.zipRight(act, store.edges),
      keep,
      ranking: ranking === undefined ? store.ranking : Effect.succeed(ranking)
    })
    const context = yield* Layer.build(
      Centralities.layer.pipe(Layer.provide([watched, standing]), Layer.provideMerge(Jobs.layer), Layer.fresh)
    )
    return { kept, context }
  })

onEachEngine("computing a ranking", (stores) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores | Scope.Scope>) =>
    it.live(name, () => work.pipe(Effect.scoped, Effect.provide(stores)), 30_000)

  rule(
    "two requests at the same moment cause only one computation of the entity ranking, and a further computation must wait a minute",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const [began, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let runs = 0
      const act = Effect.sync(() => void (runs += 1)).pipe(
        Effect.zipRight(Deferred.succeed(began, undefined)),
        Effect.zipRight(Deferred.await(gate))
      )
      const { context } = yield* aRankingPod(act)
      yield* Effect.gen(function* () {
        const both = yield* Effect.all([recomputeAs(personId), recomputeAs(personId)], { concurrency: 2 })
        assert.deepStrictEqual(both, [{ triggered: true }, { triggered: true }])
        yield* Deferred.await(began)
        assert.deepStrictEqual(yield* recomputeAs(personId), { triggered: true })
        yield* Deferred.succeed(gate, undefined)
        yield* settled
        assert.strictEqual(runs, 1)
        const refused = yield* recomputeAs(personId)
        assert.deepStrictEqual([refused.triggered, typeof refused.note], [false, "string"])
      }).pipe(Effect.provide(context))
    })
  )

  rule(
    "if a pod stops while it computes a person's ranking of entities, the pod that starts next computes this ranking",
    Effect.gen(function* () {
      const personId = yield* aPerson
      yield* Effect.scoped(
        Effect.gen(function* () {
          const began = yield* Deferred.make<void>()
          const { context } = yield* aRankingPod(Effect.zipRight(Deferred.succeed(began, undefined), Effect.never))
          assert.deepStrictEqual(yield* Effect.provide(recomputeAs(personId), context), { triggered: true })
          yield* Deferred.await(began)
        })
      )
      const { kept } = yield* aRankingPod(Effect.void)
      assert.strictEqual(yield* Queue.take(kept), personId)
    })
  )

  rule(
    "the pod computes no ranking of entities for a removed or suspended person, and still computes the rankings of other people",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const suspended = yield* aPerson
      const owner = aPersonRow()
      const [accounts, people] = [yield* AccountStore, yield* PeopleStore]
      yield* people.claim(owner, null) // The owner of a pod can suspend people, so this test needs an owner.
      yield* withReach(aReach({ personId: owner.id }))(accounts.suspend(suspended, true, aPassed))
      const { context, kept } = yield* aRankingPod(Effect.void)
      yield* Effect.gen(function* () {
        const { enqueue } = yield* Jobs
        for (const each of [uuidv7(), suspended, personId]) {
          yield* enqueue(CentralityQueue, { personId: each }, { singletonKey: each })
        }
        assert.strictEqual(yield* Queue.take(kept), personId)
        yield* settled
        assert.strictEqual(yield* Queue.size(kept), 0)
      }).pipe(Effect.provide(context))
    })
  )

  rule(
    "a person's ranking of entities can be computed again one minute after its last computation",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const now = yield* DateTime.now
      for (const [seconds, triggered] of [
        [50, false],
        [61, true]
      ] as const) {
        const computedAt = DateTime.subtract(now, { seconds })
        const { context } = yield* aRankingPod(Effect.void, { computedAt, rows: 0, top: [] })
        assert.strictEqual((yield* Effect.provide(recomputeAs(personId), context)).triggered, triggered)
      }
    })
  )
})

describe("a ranking that cannot be read", () => {
  const reach = aReach()
  const workless = Layer.merge(standing, Jobs.layer).pipe(
    Layer.provide(StoresLayer.layerMemory),
    Layer.provide([Revocations.layer, MemoryDatabase.layer])
  )
  it.effect(
    "if the store fails to read a ranking, the answer contains a note, and the note does not show the error of the store",
    () =>
      Effect.gen(function* () {
        const failing = Layer.succeed(CentralityStore, {
          edges: Effect.die(new Error("secret")),
          keep: () => Effect.void,
          ranking: Effect.die(new Error("secret"))
        })
        const status = yield* Effect.flatMap(Centralities, (service) => service.status).pipe(
          Effect.provideService(Reach, reach),
          Effect.provide(Centralities.layer.pipe(Layer.provide(failing), Layer.provide(workless)))
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
  describe(`rankings ${where}`, () => {
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
    })
    afterAll(() => pod?.stop())

    it("a key with a narrow grant cannot read or recompute the ranking of entities, and a caller without a computed ranking gets a note instead of a ranking", async () => {
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

    it("a key that is confined to one workspace cannot use the ranking of entities, because the scores come from all workspaces of the person who owns the key", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const { secret } = await aStoredKey(pod, pod.ownerId, { workspaceId, grant: null }) // This key has no grant, like the keys that were made before keys had grants.
      const key = pod.as({ authorization: `Bearer ${secret}` })
      for (const asked of [await key.send("POST", `${path}/recompute`, {}), await key.send("GET", `${path}/status`)]) {
        assert.deepStrictEqual([asked.status, asked.body.code], [403, "GRANT_DOOR_UNSUPPORTED"])
      }
    })

    it("the ranking of entities begins with the most connected entity, contains no archived entities, and is hidden from other people", async () => {
      const answer = await pod.owner.send("POST", `${path}/recompute`)
      assert.deepStrictEqual([answer.status, answer.body], [200, { triggered: true }])
      await pod.run(settled)
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
      await pod.run(settled)
      assert.deepInclude(await status(other), { computed: true, rows: 0, top: [] })
    })
  })
}
