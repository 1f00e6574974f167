/** The SQL store of the uses of keys. One statement stores many calls. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { callsKept, isRefusal, type KeyCall, type NotedCall } from "./KeyCall.ts"
import { UsageStore } from "./UsageStore.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"

interface CallRow extends Omit<KeyCall, "at" | "userAgent" | "clientName" | "proposalId"> {
  readonly at: Date
  readonly proposal_id: string | null
  readonly user_agent: string | null
  readonly client_name: string | null
}

// The code copies the fields one by one, because this is faster than a spread that replaces the time. This code runs
// for each call with a key.
const callJson = (call: NotedCall) => ({
  id: call.id,
  key_id: call.keyId,
  at: DateTime.formatIso(call.at),
  surface: call.surface,
  operation: call.operation,
  status: call.status,
  code: call.code,
  reason: call.reason,
  proposal_id: call.proposalId,
  address: call.address,
  user_agent: call.userAgent,
  client_name: call.clientName,
  is_refusal: isRefusal(call)
})

const callOf = ({
  at,
  client_name: clientName,
  proposal_id: proposalId,
  user_agent: userAgent,
  ...call
}: CallRow): KeyCall => ({
  ...call,
  at: DateTime.unsafeFromDate(at),
  userAgent,
  clientName,
  proposalId
})

export const layer = Layer.effect(
  UsageStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    // The statement always locks the rows of days in the same order. Otherwise two nodes could wait for each other
    // forever.
    note: (calls) =>
      sql`
        WITH sent AS (
          SELECT *, row_number() OVER (PARTITION BY key_id ORDER BY at DESC, id DESC) AS place
          FROM jsonb_to_recordset(${JSON.stringify(calls.map(callJson))}::jsonb) AS sent(id uuid, key_id uuid, at timestamptz,
            surface text, operation text, status integer, code text, reason text, address text, user_agent text,
            client_name text, proposal_id uuid, is_refusal boolean)),
        counted AS (
          INSERT INTO api_key_days AS kept (key_id, day, calls, refusals)
          SELECT key_id, (at AT TIME ZONE 'UTC')::date, count(*), count(*) FILTER (WHERE is_refusal)
          FROM sent
          GROUP BY 1, 2
          ORDER BY 1, 2
          ON CONFLICT (key_id, day) DO UPDATE
            SET calls = kept.calls + excluded.calls, refusals = kept.refusals + excluded.refusals),
        fresh AS (SELECT key_id, count(*) AS number FROM sent GROUP BY key_id),
        older AS (
          SELECT known.id, fresh.number + row_number() OVER (PARTITION BY known.key_id ORDER BY known.at DESC, known.id DESC) AS place
          FROM api_key_calls known
          JOIN fresh ON fresh.key_id = known.key_id),
        forgotten AS (
          DELETE FROM api_key_calls known USING older WHERE known.id = older.id AND older.place > ${callsKept})
        INSERT INTO api_key_calls (id, key_id, at, surface, operation, status, code, reason, address, user_agent, client_name, proposal_id)
        SELECT id, key_id, at, surface, operation, status, code, reason, address, user_agent, client_name, proposal_id
        FROM sent
        WHERE place <= ${callsKept}`.pipe(Effect.asVoid, dieOnSqlError),

    days: (keyIds, since) =>
      sql<{ readonly key_id: string; readonly day: string; readonly calls: number; readonly refusals: number }>`
        SELECT key_id, to_char(day, 'YYYY-MM-DD') AS day, calls, refusals
        FROM api_key_days
        WHERE key_id = ANY (${[...keyIds]}::uuid[]) AND day >= ${since}::date
        ORDER BY api_key_days.day, key_id`.pipe(
        Effect.map((rows) => rows.map(({ key_id: keyId, ...counted }) => ({ keyId, ...counted }))),
        dieOnSqlError
      ),

    calls: (keyId) =>
      sql<CallRow>`
        SELECT id, at, surface, operation, status, code, reason, address, user_agent, client_name, proposal_id
        FROM api_key_calls
        WHERE key_id = ${keyId}::uuid
        ORDER BY at DESC, id DESC
        LIMIT ${callsKept}`.pipe(
        Effect.map((rows) => rows.map(callOf)),
        dieOnSqlError
      ),

    // The statement selects the last 50 calls of each key, because the table can have more for a while. This happens if
    // two nodes store calls of a key at the same moment.
    ids: (keyIds) =>
      sql<{ readonly key_id: string; readonly id: string }>`
        SELECT last.*
        FROM unnest(${[...keyIds]}::uuid[]) AS own(id)
        CROSS JOIN LATERAL (
          SELECT key_id, id
          FROM api_key_calls
          WHERE key_id = own.id
          ORDER BY at DESC, id DESC
          LIMIT ${callsKept}) last`.pipe(
        Effect.map((rows) => rows.map(({ id, key_id: keyId }) => ({ keyId, id }))),
        dieOnSqlError
      ),

    // In the index, the calls of each key are sorted, last call first. So this statement reads only one row for each
    // key.
    lastCalls: (keyIds) =>
      sql<CallRow & { readonly key_id: string }>`
        SELECT last.*
        FROM unnest(${[...keyIds]}::uuid[]) AS own(id)
        CROSS JOIN LATERAL (
          SELECT key_id, id, at, surface, operation, status, code, reason, address, user_agent, client_name, proposal_id
          FROM api_key_calls
          WHERE key_id = own.id
          ORDER BY at DESC, id DESC
          LIMIT 1) last`.pipe(
        Effect.map((rows) => rows.map(({ key_id: keyId, ...row }) => ({ keyId, call: callOf(row) }))),
        dieOnSqlError
      )
  }))
)
