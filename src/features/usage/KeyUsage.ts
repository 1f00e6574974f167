/**
 * Records what keys are used for. The pod notes each call in memory after its answer, and stores the noted calls
 * together once a second.
 */
import { type Cause, Context, DateTime, Effect, Layer, Schedule } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { diagnose } from "../../doors/Recovery.ts"
import type { KeyNotFound } from "../keys/Key.ts"
import { Keys } from "../keys/Keys.ts"
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
     * Notes a call after its answer. Returns at once, so the request does not wait. Later, the service stores all calls
     * of the same second together.
     */
    readonly note: (call: NotedCall) => void
    /** Stores the noted calls. If a call cannot be stored, the call is lost, and the log contains a warning. */
    readonly flush: Effect.Effect<void>
    /**
     * Reads the use of one key of the person for whom the caller acts: how many calls used the key on each day, and the
     * last calls with the key.
     */
    readonly of: (
      keyId: string
    ) => Effect.Effect<
      { readonly days: ReadonlyArray<KeyDay>; readonly calls: ReadonlyArray<KeyCall> },
      KeyNotFound,
      Reach
    >
    /** The last call with each key of the person for whom the caller acts, and of this person's agents. */
    readonly lastCalls: Effect.Effect<ReadonlyArray<LastCall>, never, Reach>
    /**
     * Reads the counts of calls in the last `days` days, for all keys of the person for whom the caller acts, and of
     * this person's agents.
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
      const notStored = (cause: Cause.Cause<unknown>) => Effect.logWarning("the use of keys was not stored", cause)
      const flush = Effect.suspend(() => {
        if (noted.length === 0) return Effect.void
        const batch = noted
        noted = []
        // If the batch fails, the service stores the calls of the batch one by one. So if one call cannot be stored,
        // the service still stores the other calls.
        return Effect.catchAllCause(store.note(batch), (cause) =>
          batch.length > 1 && diagnose(cause) === "broken"
            ? Effect.forEach(batch, (call) => Effect.catchAllCause(store.note([call]), notStored), { discard: true })
            : notStored(cause)
        )
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
          if (noted.length < notedMax) noted.push(call)
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
        lastCalls: Effect.flatMap(ownIds, store.lastCalls),
        byDay: Effect.fnUntraced(function* (days) {
          return yield* store.days(yield* ownIds, yield* since(days))
        })
      }
    })
  )
}
