/**
 * The store of the uses of keys. The store checks no rights, because only the pod itself writes to the store. Before a
 * read, the service checks that the key belongs to the person for whom the caller acts.
 */
import { Context, Effect, Layer, Struct } from "effect"
import { MemoryDatabase, memoryTable } from "../../platform/MemoryDatabase.ts"
import { callsKept, type CountedDay, dayOf, isRefusal, type KeyCall, type LastCall, type NotedCall } from "./KeyCall.ts"

export class UsageStore extends Context.Tag("pod/UsageStore")<
  UsageStore,
  {
    /** Adds the calls to the counts of their days, and keeps the last 50 calls of each key. */
    readonly note: (calls: ReadonlyArray<NotedCall>) => Effect.Effect<void>
    /** Reads the counts of these keys for each day from `since` on, oldest day first. Leaves out days without calls. */
    readonly days: (keyIds: ReadonlyArray<string>, since: string) => Effect.Effect<ReadonlyArray<CountedDay>>
    /** Reads the last calls of a key, newest first. */
    readonly calls: (keyId: string) => Effect.Effect<ReadonlyArray<KeyCall>>
    /** Reads the last call with each of these keys. Leaves out keys without calls. */
    readonly lastCalls: (keyIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<LastCall>>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ atomically, rows: current }) => ({
      note: (calls) =>
        atomically((rows) =>
          Effect.sync(() => {
            for (const call of calls) {
              const { keyId } = call
              const day = dayOf(call.at)
              const before = rows.find(dayTable, `${keyId} ${day}`) ?? { keyId, day, calls: 0, refusals: 0 }
              rows.put(dayTable, {
                ...before,
                calls: before.calls + 1,
                refusals: before.refusals + (isRefusal(call) ? 1 : 0)
              })
              const calls = [...(rows.find(callTable, keyId)?.calls ?? []), call].toSorted(newestFirst)
              rows.put(callTable, { keyId, calls: calls.slice(0, callsKept) })
            }
          })
        ),
      days: (keyIds, since) =>
        Effect.map(current, (rows) =>
          rows
            .all(dayTable)
            .filter(({ day, keyId }) => keyIds.includes(keyId) && day >= since)
            .toSorted((one, other) => compare(one.day, other.day) || compare(one.keyId, other.keyId))
        ),
      calls: (keyId) =>
        Effect.map(current, (rows) =>
          (rows.find(callTable, keyId)?.calls ?? []).map((call): KeyCall => Struct.omit(call, "keyId"))
        ),
      lastCalls: (keyIds) =>
        Effect.map(current, (rows) =>
          keyIds.flatMap((keyId) => {
            const last = rows.find(callTable, keyId)?.calls[0]
            return last === undefined ? [] : [{ keyId, call: Struct.omit(last, "keyId") }]
          })
        )
    }))
  )
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

const newestFirst = (one: NotedCall, other: NotedCall) =>
  other.at.epochMillis - one.at.epochMillis || compare(other.id, one.id)

const dayTable = memoryTable<CountedDay>("api_key_days", ({ day, keyId }) => `${keyId} ${day}`)
const callTable = memoryTable<{ readonly keyId: string; readonly calls: ReadonlyArray<NotedCall> }>(
  "api_key_calls",
  ({ keyId }) => keyId
)
