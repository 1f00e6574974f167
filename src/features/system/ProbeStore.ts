/** The store of all rows that probes wrote. The store checks no rights, because only a job of the pod uses it. */
import { Context, type DateTime, Duration, Effect, Layer } from "effect"
import { MemoryDatabase } from "../../platform/MemoryDatabase.ts"
import { probeTable } from "../events/EventTable.ts"

/** How long the pod keeps the rows of a probe. If a probe fails on Friday, its rows still exist on Monday. */
export const probeRetention = Duration.days(7)

export class ProbeStore extends Context.Tag("pod/ProbeStore")<
  ProbeStore,
  {
    /** Deletes the rows that probes wrote before this time. The events of these rows stay in the log. */
    readonly forgetBefore: (time: DateTime.Utc) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ atomically }) => ({
      forgetBefore: (time) =>
        atomically((rows) =>
          Effect.sync(() => {
            for (const mark of rows.all(probeTable)) {
              if (mark.atMs >= time.epochMillis) continue
              rows.remove(mark.table, mark.key)
              rows.remove(probeTable, probeTable.keyOf(mark))
            }
          })
        )
    }))
  )
}
