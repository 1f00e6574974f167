/**
 * What the store that records the calls of keys guarantees on each engine. The store counts the calls of each day, and
 * keeps the last 50 calls of each key.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer, Struct } from "effect"
import { callsKept, type NotedCall } from "../../../src/features/usage/KeyCall.ts"
import { UsageStore } from "../../../src/features/usage/UsageStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import type { Stores } from "../../support/stores.ts"

const aCall = (keyId: string, call: Partial<NotedCall> = {}): NotedCall => ({
  id: uuidv7(),
  keyId,
  at: DateTime.unsafeMake("2026-01-31T10:00:00.000Z"),
  surface: "rest",
  operation: "GET /api/hub/entities",
  status: 200,
  code: null,
  reason: null,
  address: "127.0.0.1",
  userAgent: "a client",
  clientName: "claude-code/2.1.0",
  proposalId: null,
  ...call
})

export const usageStoreContract = (stores: Layer.Layer<Stores>): void => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "the calls of a key are counted for each day in UTC, and answers with 403 and 429 are also counted as refusals",
    Effect.gen(function* () {
      const store = yield* UsageStore
      const [key, other] = [uuidv7(), uuidv7()]
      const lateAt = DateTime.unsafeMake("2026-01-31T23:59:59.999Z")
      const nextAt = DateTime.unsafeMake("2026-02-01T00:00:00.000Z")
      yield* store.note([
        aCall(key),
        aCall(key, { at: lateAt, status: 403 }),
        aCall(key, { at: nextAt, status: 404 }),
        aCall(other, { status: 401 })
      ])
      yield* store.note([aCall(key, { at: nextAt, status: 429 }), aCall(key, { at: nextAt })])
      assert.deepStrictEqual(yield* store.days([key], "2026-01-01"), [
        { keyId: key, day: "2026-01-31", calls: 2, refusals: 1 },
        { keyId: key, day: "2026-02-01", calls: 3, refusals: 1 }
      ])
      assert.deepStrictEqual(yield* store.days([key, other], "2026-02-01"), [
        { keyId: key, day: "2026-02-01", calls: 3, refusals: 1 }
      ])
      assert.deepStrictEqual(yield* store.days([], "2026-01-01"), [])
    })
  )

  rule(
    "the calls of a key are listed with all their fields, newest first, and never in the list of another key",
    Effect.gen(function* () {
      const store = yield* UsageStore
      const [key, other] = [uuidv7(), uuidv7()]
      const refused = aCall(key, {
        at: DateTime.unsafeMake("2026-01-31T10:00:01.000Z"),
        surface: "mcp",
        operation: null,
        status: 401,
        code: "expired",
        reason: "The key has expired.",
        address: null,
        userAgent: null
      })
      const first = aCall(key)
      yield* store.note([first, refused])
      const withoutKey = [refused, first].map((call) => Struct.omit(call, "keyId"))
      assert.deepStrictEqual(yield* store.calls(key), withoutKey)
      assert.deepStrictEqual(yield* store.calls(other), [])
    })
  )

  rule(
    "the ids of the calls of several keys are read together, each with its key, and without the calls of other keys",
    Effect.gen(function* () {
      const store = yield* UsageStore
      const [key, second, other] = [uuidv7(), uuidv7(), uuidv7()]
      const made = [aCall(key), aCall(key), aCall(second)]
      yield* store.note([...made, aCall(other)])
      const pairs = (calls: ReadonlyArray<Pick<NotedCall, "id" | "keyId">>) =>
        calls.map(({ id, keyId }) => `${keyId} ${id}`)
      assert.sameMembers(pairs(yield* store.ids([key, second, uuidv7()])), pairs(made))
      assert.deepStrictEqual(yield* store.ids([]), [])
    })
  )

  rule(
    "the pod keeps only the last 50 calls of each key, whether the calls are stored together or one after another",
    Effect.gen(function* () {
      const store = yield* UsageStore
      const key = uuidv7()
      const made = Array.from({ length: callsKept + 20 }, (_, at) =>
        aCall(key, { at: DateTime.unsafeMake(1_769_853_600_000 + at * 1000) })
      )
      const last = made.slice(-callsKept).toReversed()
      yield* store.note(made.slice(0, 60))
      yield* store.note(made.slice(60, 61))
      yield* store.note(made.slice(61))
      assert.deepStrictEqual(
        (yield* store.calls(key)).map(({ id }) => id),
        last.map(({ id }) => id)
      )
      assert.deepStrictEqual(
        (yield* store.days([key], "2026-01-01")).map(({ calls }) => calls),
        [made.length]
      )
    })
  )
}
