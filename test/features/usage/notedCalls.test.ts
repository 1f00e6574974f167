/**
 * The record of calls with keys: calls are collected and stored once a second, a pod that stops stores the remaining
 * calls, and each call wakes the streams that wait for calls of its key.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Exit, Layer, Scope, TestClock } from "effect"
import { Reach } from "../../../src/doors/Reach.ts"
import { Keys } from "../../../src/features/keys/Keys.ts"
import type { NotedCall } from "../../../src/features/usage/KeyCall.ts"
import { KeyUsage } from "../../../src/features/usage/KeyUsage.ts"
import { UsageStore } from "../../../src/features/usage/UsageStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aReach } from "../../support/reach.ts"

const aCall = (keyId = uuidv7()): NotedCall => ({
  id: uuidv7(),
  keyId,
  at: DateTime.unsafeMake(0),
  surface: "rest",
  operation: null,
  status: 200,
  code: null,
  reason: null,
  address: null,
  userAgent: null,
  clientName: null,
  proposalId: null
})

/**
 * Returns the service that records calls, with a store that passes each batch of calls to `note`. `stored` replaces
 * other methods of the store.
 */
const counted = (
  note: (calls: ReadonlyArray<NotedCall>) => Effect.Effect<void>,
  stored: Partial<typeof UsageStore.Service> = {}
) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const store = Layer.succeed(UsageStore, {
      note,
      days: () => Effect.succeed([]),
      lastCalls: () => Effect.succeed([]),
      calls: () => Effect.succeed([]),
      ids: () => Effect.succeed([]),
      ...stored
    })
    // These tests only ask whether the caller has a key, so this service has one method, and the answer is yes.
    const keys = Layer.succeed(Keys, { get: () => Effect.void } as unknown as typeof Keys.Service)
    const context = yield* Layer.buildWithScope(KeyUsage.layer.pipe(Layer.provide([store, keys])), scope)
    return { scope, usage: yield* Effect.provide(KeyUsage, context) }
  })

it.effect(
  "the calls of keys within one second are stored together, and before a pod stops, it stores the remaining calls",
  () =>
    Effect.gen(function* () {
      const batches: Array<number> = []
      const { scope, usage } = yield* counted((calls) => Effect.sync(() => void batches.push(calls.length)))
      usage.note(aCall())
      usage.note(aCall())
      assert.deepStrictEqual(batches, [])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(batches, [2])
      yield* TestClock.adjust("10 seconds")
      usage.note(aCall())
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(batches, [2, 1])
    })
)

it.effect(
  "if the database refuses the record of one call of a key, the records of all other calls are still stored",
  () =>
    Effect.gen(function* () {
      const stored: Array<string> = []
      const refused = aCall()
      const { scope, usage } = yield* counted((calls) =>
        calls.includes(refused)
          ? Effect.die("invalid input syntax for type json")
          : Effect.sync(() => void stored.push(...calls.map(({ id }) => id)))
      )
      const others = [aCall(), aCall()]
      for (const call of [others[0], refused, others[1]]) usage.note(call)
      yield* usage.flush
      assert.deepStrictEqual(
        stored,
        others.map(({ id }) => id)
      )
      yield* Scope.close(scope, Exit.void)
    })
)

it.effect(
  "if a batch of recorded calls cannot be stored, only this batch is lost, and at most 10,000 calls wait in memory",
  () =>
    Effect.gen(function* () {
      const batches: Array<number> = []
      const { scope, usage } = yield* counted((calls) =>
        batches.push(calls.length) === 1 ? Effect.die("the database is away") : Effect.void
      )
      usage.note(aCall())
      yield* usage.flush
      for (let call = 0; call < 10_050; call++) usage.note(aCall())
      yield* usage.flush
      assert.deepStrictEqual(batches, [1, 10_000])
      yield* Scope.close(scope, Exit.void)
    })
)

/** Waits until everything that the process wants to do at once has run. */
const settled = Effect.promise(() => new Promise((done) => setImmediate(done)))

it.effect(
  "when the pod records a call of a key, it wakes the streams that watch this key at once, and wakes no other stream",
  () =>
    Effect.gen(function* () {
      const { scope, usage } = yield* counted(() => Effect.void)
      const woken: Array<string> = []
      const call = aCall()
      const stopped = usage.newsOf(call.keyId, new Set())(() => woken.push("a stream that was left"))
      stopped()
      usage.newsOf(call.keyId, new Set())(() => woken.push("the stream of the key"))
      usage.newsOf(uuidv7(), new Set())(() => woken.push("another stream"))
      yield* settled
      assert.deepStrictEqual(woken, [])
      usage.note(call)
      usage.note(call)
      assert.deepStrictEqual(woken, ["the stream of the key"])
      yield* Scope.close(scope, Exit.void)
    })
)

it.effect(
  "a stream wakes at once if the pod recorded a call of its key before the stream began to wait, but not if the stream has already sent this call",
  () =>
    Effect.gen(function* () {
      const { scope, usage } = yield* counted(() => Effect.void)
      const woken: Array<string> = []
      const call = aCall()
      usage.note(call)
      usage.newsOf(call.keyId, new Set([call.id]))(() => woken.push("has the call"))
      usage.newsOf(call.keyId, new Set())(() => woken.push("lacks the call"))
      yield* settled
      assert.deepStrictEqual(woken, ["lacks the call"])
      yield* Scope.close(scope, Exit.void)
    })
)

it.effect(
  "every two seconds, the pod reads the calls that other pods have recorded, once for all streams of calls, and reads nothing if there is no stream",
  () =>
    Effect.gen(function* () {
      const [known, fresh] = [aCall(), aCall()]
      const asked: Array<ReadonlyArray<string>> = []
      const { scope, usage } = yield* counted(() => Effect.void, {
        ids: (keyIds) => Effect.sync(() => (asked.push(keyIds), [known, fresh]))
      })
      const woken: Array<string> = []
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(asked, [])
      const stop = usage.newsOf(known.keyId, new Set([known.id]))(() => woken.push("known"))
      usage.newsOf(fresh.keyId, new Set())(() => woken.push("fresh"))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(asked, [[known.keyId, fresh.keyId]])
      assert.deepStrictEqual(woken, ["fresh"])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(asked.slice(1), [[known.keyId]])
      stop()
      const reads = asked.length
      yield* TestClock.adjust("10 seconds")
      assert.isAtMost(asked.length, reads + 1)
      yield* Scope.close(scope, Exit.void)
    })
)

it.effect("the pod finds each recorded call of a key exactly once before, while and after the call is stored", () =>
  Effect.gen(function* () {
    const keyId = uuidv7()
    const stored: Array<NotedCall> = []
    const storing = yield* Deferred.make<void>()
    const { scope, usage } = yield* counted(
      (calls) =>
        Effect.zipRight(
          Deferred.await(storing),
          Effect.sync(() => void stored.push(...calls))
        ),
      { calls: () => Effect.sync(() => stored) }
    )
    const call = aCall(keyId)
    const found = usage.callsOf(keyId).pipe(
      Effect.map((calls) => calls.map(({ id }) => id)),
      Effect.provideService(Reach, aReach())
    )
    usage.note(aCall())
    usage.note(call)
    assert.deepStrictEqual(yield* found, [call.id])
    const flushing = yield* Effect.fork(usage.flush)
    yield* settled
    assert.deepStrictEqual(yield* found, [call.id])
    yield* Deferred.succeed(storing, undefined)
    yield* flushing
    assert.deepStrictEqual(yield* found, [call.id])
    yield* Scope.close(scope, Exit.void)
  })
)
