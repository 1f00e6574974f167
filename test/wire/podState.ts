/**
 * A digest over the rows that a pod stores. If the digest is the same before and after a call, the call changed
 * nothing.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { TestPod } from "../support/pod.ts"
import { asOwner } from "../support/stores.ts"

/** Columns that change with every use of a key, even if the call is refused. */
const unsteady = ["last_used_at", "usage_count"]

/**
 * Tables that the pod writes in the background after an answer. They contain how far the pod has read the event log,
 * what each key was used for, and the ranking that an earlier read requested.
 */
const later = ["event_cursors", "api_key_calls", "api_key_days", "centrality_runs"]

/** Returns the digest over all rows of all tables, without the tables in `later` and the columns in `unsteady`. */
export const stateOf = (pod: TestPod): Promise<string> =>
  pod.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ readonly name: string }>`
        SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL (${later}) ORDER BY tablename`
      const digests = yield* Effect.forEach(tables, ({ name }) =>
        Effect.map(
          sql<{ readonly digest: string }>`
            SELECT count(*) || ':' || coalesce(md5(string_agg(row.text, E'\n' ORDER BY row.text)), '') AS digest
            FROM (SELECT (to_jsonb(kept) - ${unsteady}::text[])::text AS text FROM ${sql(name)} AS kept) AS row`,
          ([{ digest }]) => `${name} ${digest}`
        )
      )
      return digests.join("\n")
    }).pipe(asOwner)
  )
