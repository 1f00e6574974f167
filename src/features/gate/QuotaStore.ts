/** The store that counts the records of an owner, to compare their number with a quota. */
import { Context, DateTime, Effect, Layer } from "effect"
import { MemoryDatabase, memoryTable } from "../../platform/MemoryDatabase.ts"
import type { Quota } from "./Quota.ts"

export class QuotaStore extends Context.Tag("pod/QuotaStore")<
  QuotaStore,
  {
    /**
     * Counts the records of this owner that the quota limits, in every space, but not further than the quota. The result
     * is only for the comparison with the quota, so the call checks no rights.
     */
    readonly count: (quota: Quota, ownerId: string) => Effect.Effect<number>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ rows }) => ({
      count: Effect.fnUntraced(function* ({ isCounted, max, memoryTable: name }: Quota, ownerId) {
        const now = yield* DateTime.now
        // Only the name of a table finds its rows. The types of the rows belong to other features.
        const all = (yield* rows).all(memoryTable<object>(name, () => ""))
        return Math.min(all.filter((row) => isCounted(row, ownerId, now)).length, max + 1)
      })
    }))
  )
}
