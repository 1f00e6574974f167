/** Several statements that happen together or not at all. */
import { SqlClient } from "@effect/sql"
import { Context, Effect, FiberRef, Layer } from "effect"

export class Transaction extends Context.Tag("pod/Transaction")<
  Transaction,
  {
    /** What fails or dies inside leaves nothing behind. */
    readonly atomically: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {
  static readonly layerSql = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      // A failure of the transaction itself is for Dispatch: it tries again or answers that the database is away.
      atomically: <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.catchIf(
          sql.withTransaction(work),
          (error): error is Exclude<typeof error, E> =>
            (error as { readonly _tag?: unknown } | null)?._tag === "SqlError",
          Effect.die
        ) as Effect.Effect<A, E, R>
    }))
  )
  /** The twin does one piece of work after another. It undoes nothing: its work asks before it writes. */
  static readonly layerMemory = Layer.scoped(
    this,
    Effect.gen(function* () {
      const one = yield* Effect.makeSemaphore(1)
      // Work inside a transaction is a part of it, and does not wait for its end.
      const isInside = yield* FiberRef.make(false)
      return {
        atomically: <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.flatMap(FiberRef.get(isInside), (isPart) =>
            isPart ? work : one.withPermits(1)(Effect.locally(work, isInside, true))
          )
      }
    })
  )
}
