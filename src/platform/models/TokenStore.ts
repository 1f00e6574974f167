/** The store that counts the tokens of a day. All nodes share one count. A restart does not reset it. */
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
     * Counts tokens of a service as used on a day (in UTC, in the form `2026-01-31`). If the count would then be more
     * than `max`, changes nothing and returns false. Concurrent calls cannot exceed `max` together.
     */
    readonly take: (of: ServiceDay, tokens: number, max: number) => Effect.Effect<boolean>
    /** Adds tokens to the count, even beyond the limit. A negative number reduces the count. */
    readonly correct: (of: ServiceDay, by: number) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ atomically }) => ({
      take: (of, tokens, max) =>
        atomically((rows) =>
          Effect.sync(() => {
            const spent = (rows.find(dayTable, keyOf(of))?.spent ?? 0) + tokens
            if (spent > max) return false
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
