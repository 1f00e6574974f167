/**
 * The store of the uses of keys. The store checks no rights, because only the pod itself writes to the store. Before a
 * read, the service checks that the key belongs to the caller's person.
 */
import { Context, Effect, Layer, Struct } from "effect"
import { MemoryDatabase, memoryTable } from "../../platform/MemoryDatabase.ts"
import {
  type CountedDay,
  dayOf,
  isRefusal,
  type KeyCall,
  type LastCall,
  lastCallsOf,
  type NotedCall
} from "./KeyCall.ts"

export class UsageStore extends Context.Tag("pod/UsageStore")<
  UsageStore,
  {
    /** Adds the calls to the counts of their days, and keeps the last 50 calls of each key. */
    readonly note: (calls: ReadonlyArray<NotedCall>) => Effect.Effect<void>
    /** Reads the counts of these keys for each day from `since` on, oldest day first. Leaves out days without calls. */
    readonly days: (keyIds: ReadonlyArray<string>, since: string) => Effect.Effect<ReadonlyArray<CountedDay>>
    /** Reads the last calls of a key, newest first. */
    readonly calls: (keyId: string) => Effect.Effect<ReadonlyArray<KeyCall>>
    /** Reads the ids of the calls that `calls` returns, for all these keys together. */
    readonly ids: (keyIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Pick<NotedCall, "keyId" | "id">>>
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
              rows.put(callTable, { keyId, calls: lastCallsOf([...(rows.find(callTable, keyId)?.calls ?? []), call]) })
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
      calls: (keyId) => Effect.map(current, (rows) => (rows.find(callTable, keyId)?.calls ?? []).map(withoutKey)),
      ids: (keyIds) =>
        Effect.map(current, (rows) =>
          keyIds.flatMap((keyId) => (rows.find(callTable, keyId)?.calls ?? []).map(({ id }) => ({ keyId, id })))
        ),
      lastCalls: (keyIds) =>
        Effect.map(current, (rows) =>
          keyIds.flatMap((keyId) => {
            const last = rows.find(callTable, keyId)?.calls[0]
            return last === undefined ? [] : [{ keyId, call: withoutKey(last) }]
          })
        )
    }))
  )
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

const withoutKey = (call: NotedCall): KeyCall => Struct.omit(call, "keyId")

const dayTable = memoryTable<CountedDay>("api_key_days", ({ day, keyId }) => `${keyId} ${day}`)
const callTable = memoryTable<{ readonly keyId: string; readonly calls: ReadonlyArray<NotedCall> }>(
  "api_key_calls",
  ({ keyId }) => keyId
)
