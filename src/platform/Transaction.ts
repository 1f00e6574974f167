/** Several statements that happen together or not at all. */
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"

export class Transaction extends Context.Tag("pod/Transaction")<
  Transaction,
  {
    /** Runs the work in a transaction. If it fails or dies, its changes are undone. */
    readonly atomically: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {
  static readonly layerSql = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      // Dispatch handles a failure of the transaction itself: it runs the call again, or answers that the database
      // cannot be reached.
      atomically: <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.catchIf(
          sql.withTransaction(work),
          (error): error is Exclude<typeof error, E> =>
            (error as { readonly _tag?: unknown } | null)?._tag === "SqlError",
          Effect.die
        ) as Effect.Effect<A, E, R>
    }))
  )
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ atomically }) => ({ atomically: (work) => atomically(() => work) }))
  )
}
