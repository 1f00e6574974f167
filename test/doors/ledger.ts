/**
 * A digest of all stored data of a pod, and the refusals in the log of the pod. With both, a test can assert that a
 * refused call stored nothing except its refusal.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { eventTable } from "../../src/features/events/EventTable.ts"
import { MemoryDatabase } from "../../src/platform/MemoryDatabase.ts"
import type { Storage, TestPod } from "../support/pod.ts"
import { asOwner } from "../support/stores.ts"

export interface Ledger {
  /**
   * Returns a hash of all stored data. The hash leaves out refusals and their numbers in the log, the use of keys,
   * notifications, and how far the pod has read the log. The pod stores notifications and this progress some time after
   * the writes.
   */
  readonly digest: () => Promise<string>
  /** Returns the events of refusals, by the id of the refused request. */
  readonly refusals: () => Promise<ReadonlyMap<string, ReadonlyArray<string>>>
}

const refused = "access.refused"
/** Jobs store notifications later than the writes that the notifications are about. */
const notificationEvent = "notification.create"

const byRequest = (noted: ReadonlyArray<{ readonly id: string; readonly request: string }>) => {
  const found = new Map<string, ReadonlyArray<string>>()
  for (const { id, request } of noted) found.set(request, [...(found.get(request) ?? []), id])
  return found
}

/** A store in memory shows only its events. Every write appends an event, so a digest of the log shows every write. */
const inMemory = (pod: TestPod): Ledger => {
  const all = () =>
    pod.run(Effect.flatMap(MemoryDatabase, ({ rows }) => Effect.map(rows, ({ all: of }) => of(eventTable))))
  return {
    digest: async () => {
      const others = (await all()).filter(({ event }) => event.type !== refused && event.type !== notificationEvent)
      return createHash("sha256")
        .update(JSON.stringify(others.map(({ spaceId, event }) => [spaceId, event.id, event.type])))
        .digest("hex")
    },
    refusals: async () =>
      byRequest(
        (await all())
          .filter(({ event }) => event.type === refused)
          .map(({ event }) => ({ id: event.id, request: event.correlationId }))
      )
  }
}

/** Makes a query that returns one row: the hash of all rows of a table. The query works for any columns. */
const hashOf = (table: string) => {
  const content: Record<string, string> = {
    api_keys: `SELECT to_jsonb(row) - 'last_used_at' - 'usage_count' AS said FROM api_keys row`,
    events: `SELECT to_jsonb(row) AS said FROM events row WHERE row.type NOT IN ('${refused}', '${notificationEvent}')`,
    // The use of a key is stored after each answer, even after a refusal. So the digest leaves this table out.
    api_key_calls: "SELECT row.key_id AS said FROM api_key_calls row WHERE false",
    api_key_days: "SELECT row.key_id AS said FROM api_key_days row WHERE false",
    event_cursors: "SELECT row.consumer AS said FROM event_cursors row WHERE false",
    // The pod makes a test write when a caller asks whether the pod can store data.
    write_probes: "SELECT row.tried_at AS said FROM write_probes row WHERE false",
    notifications: "SELECT row.kind AS said FROM notifications row WHERE false",
    // A refusal gets a number in the log of its space. The first refusal in a space creates the row with the last
    // number of this log. The digest leaves out these effects of refusals.
    stream_heads: `
      SELECT jsonb_build_array(head.space_id, head.others) AS said
      FROM (
        SELECT row.space_id, row.seq - (
          SELECT count(*) FROM events noted
          WHERE noted.space_id = row.space_id AND noted.type IN ('${refused}', '${notificationEvent}')) AS others
        FROM stream_heads row) head
      WHERE head.others > 0`
  }
  const rowsSql = content[table] ?? `SELECT to_jsonb(row) AS said FROM "${table}" row`
  return `SELECT '${table}' AS name, md5(coalesce(string_agg(md5(said::text), '' ORDER BY md5(said::text)), '')) AS hash
    FROM (${rowsSql}) content`
}

const tables = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<{ readonly name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`
)

const inTables = (pod: TestPod): Ledger => ({
  digest: () =>
    pod.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const parts = (yield* tables).map(({ name }) => hashOf(name))
        const rows = yield* sql.unsafe<{ readonly name: string; readonly hash: string }>(parts.join(" UNION ALL "))
        return rows.map(({ name, hash }) => `${name} ${hash}`).join("\n")
      }).pipe(asOwner)
    ),
  refusals: () =>
    pod.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return byRequest(
          yield* sql<{ readonly id: string; readonly request: string }>`
            SELECT id, request_id AS request FROM events WHERE type = ${refused}`
        )
      }).pipe(asOwner)
    )
})

/** Removes the refusals from the log, so that a repeated question gets the same answer. */
export const forgetRefusals = (pod: TestPod, storage: Storage): Promise<unknown> =>
  storage.kind === "memory"
    ? pod.run(
        Effect.flatMap(MemoryDatabase, ({ atomically }) =>
          atomically((rows) =>
            Effect.sync(() => {
              const forgotten = rows.all(eventTable).filter(({ event }) => event.type === refused)
              for (const { event } of forgotten) rows.remove(eventTable, event.id)
            })
          )
        )
      )
    : pod.run(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM events WHERE type = ${refused}`).pipe(asOwner)
      )

export const ledgerOf = (pod: TestPod, storage: Storage): Ledger =>
  storage.kind === "memory" ? inMemory(pod) : inTables(pod)
