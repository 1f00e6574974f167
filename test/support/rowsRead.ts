/** Measures how many rows of tables and entries of indexes a request reads, as the database counts them. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Runs the work in a transaction. Returns the result of the work, and the number of rows and index entries of these
 * tables that the work read.
 */
export const rowsRead = <A, E, R>(tables: ReadonlyArray<string>, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const counted = Effect.map(
      sql<{ readonly count: number }>`
        SELECT coalesce(sum(pg_stat_get_xact_tuples_returned(part.oid)), 0)::integer AS count
        FROM pg_class part
        LEFT JOIN pg_index index ON index.indexrelid = part.oid
        WHERE coalesce(index.indrelid, part.oid) = ANY (${[...tables]}::regclass[])`,
      ([row]) => row?.count ?? 0
    )
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const before = yield* counted
        const result = yield* work
        return { result, read: (yield* counted) - before }
      })
    )
  }).pipe(Effect.orDie)
