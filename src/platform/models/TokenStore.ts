/** Where the tokens of a day are counted, for all pods over one database together, also after a restart. */
import { Context, Effect, Layer } from "effect"
import { MemoryDatabase, memoryTable } from "../MemoryDatabase.ts"

export class TokenStore extends Context.Tag("pod/TokenStore")<
  TokenStore,
  {
    /**
     * Takes tokens of a day (UTC, as in 2026-01-31), unless more than `most` would be taken then. Answers whether they were
     * taken. Calls at the same time never take more together.
     */
    readonly take: (day: string, tokens: number, most: number) => Effect.Effect<boolean>
    /** Takes further tokens of a day, whatever was taken; a negative number gives tokens back. */
    readonly correct: (day: string, by: number) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ atomically }) => ({
      take: (day, tokens, most) =>
        atomically((rows) =>
          Effect.sync(() => {
            const spent = (rows.find(dayTable, day)?.spent ?? 0) + tokens
            if (spent > most) return false
            rows.put(dayTable, { day, spent })
            return true
          })
        ),
      correct: (day, by) =>
        atomically((rows) =>
          Effect.sync(() => rows.put(dayTable, { day, spent: (rows.find(dayTable, day)?.spent ?? 0) + by }))
        )
    }))
  )
}

interface Day {
  readonly day: string
  readonly spent: number
}

const dayTable = memoryTable<Day>("model_tokens", ({ day }) => day)
