/**
 * Records what keys are used for. The pod notes each call in memory after its answer, and stores the noted calls
 * together once a second.
 */
import { type Cause, Context, DateTime, Effect, Layer, Schedule, Struct } from "effect"
import type { News } from "../../doors/Batch.ts"
import type { Reach } from "../../doors/Reach.ts"
import { diagnose } from "../../doors/Recovery.ts"
import type { KeyNotFound } from "../keys/Key.ts"
import { Keys } from "../keys/Keys.ts"
import { makeCallWatch } from "./CallWatch.ts"
import {
  type CountedDay,
  dayOf,
  daysKept,
  type KeyCall,
  type KeyDay,
  type LastCall,
  type NotedCall
} from "./KeyCall.ts"
import { UsageStore } from "./UsageStore.ts"

const storedEvery = "1 second"
// the maximum number of calls in memory; the pod does not count further calls in the same second
const notedMax = 10_000
// the maximum number of keys of one person whose counts and last calls the pod reads
const keysMax = 500

export class KeyUsage extends Context.Tag("pod/KeyUsage")<
  KeyUsage,
  {
    /**
     * Notes a call after its answer. Returns immediately, so the request does not wait. Later, the service stores all
     * calls of the same second together.
     */
    readonly note: (call: NotedCall) => void
    /** Stores the noted calls. If a call cannot be stored, the call is lost, and the log contains a warning. */
    readonly flush: Effect.Effect<void>
    /**
     * Reads the use of one key of the caller's person: how many calls used the key on each day, and the last calls with
     * the key.
     */
    readonly of: (
      keyId: string
    ) => Effect.Effect<
      { readonly days: ReadonlyArray<KeyDay>; readonly calls: ReadonlyArray<KeyCall> },
      KeyNotFound,
      Reach
    >
    /**
     * Reads the last calls with one key of the caller's person, in no order. Unlike `of`, this method also returns the
     * calls that this process has noted and not stored yet.
     */
    readonly callsOf: (keyId: string) => Effect.Effect<ReadonlyArray<KeyCall>, KeyNotFound, Reach>
    /** Tells when a key has a call besides the calls with the ids `known`, which `callsOf` has returned. */
    readonly newsOf: (keyId: string, known: ReadonlySet<string>) => News
    /** The last call with each key of the caller's person, and of this person's agents. */
    readonly lastCalls: Effect.Effect<ReadonlyArray<LastCall>, never, Reach>
    /**
     * Reads the counts of calls in the last `days` days, for all keys of the caller's person, and of this person's
     * agents.
     */
    readonly byDay: (days: number) => Effect.Effect<ReadonlyArray<CountedDay>, never, Reach>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const store = yield* UsageStore
      const keys = yield* Keys
      let noted: Array<NotedCall> = []
      const storing = new Set<ReadonlyArray<NotedCall>>()
      const unstored = (keyId: string) =>
        [...storing, noted].flatMap((calls) => calls.filter((call) => call.keyId === keyId))
      const watch = yield* makeCallWatch(store.ids, unstored)
      const notStored = (cause: Cause.Cause<unknown>) => Effect.logWarning("the use of keys was not stored", cause)
      const flush = Effect.suspend(() => {
        if (noted.length === 0) return Effect.void
        const batch = noted
        noted = []
        storing.add(batch)
        // If the batch fails, the service stores the calls of the batch one by one. So if one call cannot be stored,
        // the service still stores the other calls.
        return Effect.catchAllCause(store.note(batch), (cause) =>
          batch.length > 1 && diagnose(cause) === "broken"
            ? Effect.forEach(batch, (call) => Effect.catchAllCause(store.note([call]), notStored), { discard: true })
            : notStored(cause)
        ).pipe(Effect.ensuring(Effect.sync(() => storing.delete(batch))))
      }).pipe(Effect.uninterruptible)
      const since = (days: number) =>
        Effect.map(DateTime.now, (now) => dayOf(DateTime.subtract(now, { days: days - 1 })))
      const ownIds = Effect.suspend(() =>
        Effect.map(keys.list({ limit: keysMax }), ({ items }) => items.map(({ id }) => id))
      )
      yield* Effect.addFinalizer(() => flush)
      yield* Effect.forkScoped(Effect.repeat(flush, Schedule.spaced(storedEvery)))
      return {
        note: (call) => {
          if (noted.length >= notedMax) return
          noted.push(call)
          watch.noted(call.keyId)
        },
        flush,
        of: Effect.fnUntraced(function* (keyId) {
          yield* keys.get(keyId)
          const days = yield* store.days([keyId], yield* since(daysKept))
          return {
            days: days.map(({ calls, day, refusals }) => ({ day, calls, refusals })),
            calls: yield* store.calls(keyId)
          }
        }),
        callsOf: Effect.fnUntraced(function* (keyId) {
          yield* keys.get(keyId)
          // This code first takes the calls in memory, and then reads the store. So if a call is stored in between, the
          // code finds the call twice and does not miss it.
          const waiting = unstored(keyId).map((call): KeyCall => Struct.omit(call, "keyId"))
          const found = [...waiting, ...(yield* store.calls(keyId))]
          return [...new Map(found.map((call) => [call.id, call])).values()]
        }),
        newsOf: watch.newsOf,
        lastCalls: Effect.flatMap(ownIds, store.lastCalls),
        byDay: Effect.fnUntraced(function* (days) {
          return yield* store.days(yield* ownIds, yield* since(days))
        })
      }
    })
  )
}
