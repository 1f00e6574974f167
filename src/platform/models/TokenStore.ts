/** Where the tokens of a day are counted, for all pods over one database together, also after a restart. */
import { Context, Effect, Layer } from "effect"
import { MemoryDatabase, memoryTable } from "../MemoryDatabase.ts"

export interface ServiceDay {
  readonly service: "language model" | "embeddings"
  readonly day: string
}

export class TokenStore extends Context.Tag("pod/TokenStore")<
  TokenStore,
  {
    /**
     * Takes tokens of a service and a day (UTC, as in 2026-01-31), unless more than `most` would be taken then. Answers whether they were
     * taken. Calls at the same time never take more together.
     */
    readonly take: (of: ServiceDay, tokens: number, most: number) => Effect.Effect<boolean>
    /** Takes further tokens, whatever was taken; a negative number gives tokens back. */
    readonly correct: (of: ServiceDay, by: number) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ atomically }) => ({
      take: (of, tokens, most) =>
        atomically((rows) =>
          Effect.sync(() => {
            const spent = (rows.find(dayTable, keyOf(of))?.spent ?? 0) + tokens
            if (spent > most) return false
            rows.put(dayTable, { ...of, spent })
            return true
          })
        ),
      correct: (of, by) =>
        atomically((rows) =>
          Effect.sync(() => rows.put(dayTable, { ...of, spent: (rows.find(dayTable, keyOf(of))?.spent ?? 0) + by }))
        )
    }))
  )
}

interface SpentDay extends ServiceDay {
  readonly spent: number
}

const keyOf = ({ day, service }: ServiceDay) => `${service} ${day}`

const dayTable = memoryTable<SpentDay>("model_tokens", keyOf)
