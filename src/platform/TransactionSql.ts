/**
 * Transactions of the SQL database. Two pieces of work with the same name must not run at the same time, so each of
 * them takes an advisory lock. The lock ends with the transaction.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { Transaction } from "./Transaction.ts"
import { dieOnSqlError } from "./SqlDefect.ts"

export const layer = Layer.effect(
  Transaction,
  Effect.map(SqlClient.SqlClient, (sql) => {
    // A failure of the transaction itself becomes a defect. Dispatch then runs the call again, or answers that the
    // database is not available.
    const atomically = <A, E, R>(work: Effect.Effect<A, E, R>) => dieOnSqlError(sql.withTransaction(work))
    // If two different names have the same hash, the work of one name waits for the work of the other name. This costs
    // only time.
    const lock = (name: string) => dieOnSqlError(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
    return { atomically, exclusively: (name, work) => atomically(Effect.zipRight(lock(name), work)) }
  })
)
