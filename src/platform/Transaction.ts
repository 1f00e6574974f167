/** Several statements that happen together or not at all. */
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"

export class Transaction extends Context.Tag("pod/Transaction")<
  Transaction,
  {
    /** Runs the work in a transaction. If it fails or dies, its changes are undone. */
    readonly atomically: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** The same, and while no other pod or call runs work of this name: it waits until their transactions have ended. */
    readonly alone: <A, E, R>(name: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {
  static readonly layerSql = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) => {
      // A failure of the transaction itself is for Dispatch: it tries again or answers that the database is away.
      const atomically = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.catchIf(
          sql.withTransaction(work),
          (error): error is Exclude<typeof error, E> =>
            (error as { readonly _tag?: unknown } | null)?._tag === "SqlError",
          Effect.die
        ) as Effect.Effect<A, E, R>
      // Names with the same hash wait for each other in vain, which changes nothing but the time.
      const lock = (name: string) => Effect.orDie(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
      return { atomically, alone: (name, work) => atomically(Effect.zipRight(lock(name), work)) }
    })
  )
  static readonly layerMemory = Layer.effect(
    this,
    // Its transactions wait for each other anyway.
    Effect.map(MemoryDatabase, ({ atomically }) => ({
      atomically: (work) => atomically(() => work),
      alone: (_name, work) => atomically(() => work)
    }))
  )
}
