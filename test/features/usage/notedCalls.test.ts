/**
 * The record of calls with keys: calls are collected and stored once a second, and a pod that stops stores the
 * remaining calls.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Scope, TestClock } from "effect"
import { Keys } from "../../../src/features/keys/Keys.ts"
import type { NotedCall } from "../../../src/features/usage/KeyCall.ts"
import { KeyUsage } from "../../../src/features/usage/KeyUsage.ts"
import { UsageStore } from "../../../src/features/usage/UsageStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"

const aCall = (): NotedCall => ({
  id: uuidv7(),
  keyId: uuidv7(),
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

/** Returns the service that records calls, with a store that passes each batch of calls to `note`. */
const counted = (note: (calls: ReadonlyArray<NotedCall>) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const store = Layer.succeed(UsageStore, {
      note,
      days: () => Effect.succeed([]),
      lastCalls: () => Effect.succeed([]),
      calls: () => Effect.succeed([]),
      ids: () => Effect.succeed([])
    })
    // These tests never read a key, so this service has no methods.
    const keys = Layer.succeed(Keys, {} as typeof Keys.Service)
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
