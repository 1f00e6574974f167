/**
 * The SQL store of deliveries. It plans deliveries, finds the due deliveries, and reads the deliveries that a person is
 * allowed to see.
 */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { authorizedRead, authorizedWriteWithoutEvent, ownRows } from "../../doors/Authority.ts"
import type { Webhook } from "./Webhook.ts"
import { countedMax } from "../../doors/Page.ts"
import type { TimeRange } from "../../doors/TimeRange.ts"
import { highestId, idAfter, idBefore } from "../../platform/Ids.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"
import { utcOrNull } from "../../platform/RowTimes.ts"
import { webhookBounds } from "./DeliveryBounds.ts"
import { figuresHours, figuresShare } from "./Delivery.ts"
import {
  type AttemptsRow,
  callsOf,
  deliveryOf,
  type DeliveryRow,
  figuresOf,
  type FiguresRow,
  stateOf,
  type StateRow
} from "./DeliveryRow.ts"
import { callsOfWebhookMax } from "./CallStore.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"

/**
 * Makes the conditions for deliveries that were planned in a range of time. An id contains a time. So the conditions on
 * the id let the database skip, in the index, the deliveries outside the range.
 */
const plannedWithin = (sql: SqlClient.SqlClient, { since, until }: TimeRange) => {
  const from =
    since === undefined
      ? sql.literal("")
      : sql`AND delivery.created_at >= ${DateTime.toDateUtc(since)}::timestamptz
          AND delivery.id >= ${idBefore(since.epochMillis)}::uuid`
  return until === undefined
    ? from
    : sql`${from} AND delivery.created_at <= ${DateTime.toDateUtc(until)}::timestamptz
        AND delivery.id < ${idAfter(until.epochMillis)}::uuid`
}

export const layer = Layer.effect(
  DeliveryStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const own = ownRows(sql)
    return {
      since: dieOnSqlError(
        Effect.map(sql<{ readonly since: Date | null }>`SELECT webhooks_since() AS since`, ([row]) =>
          utcOrNull(row?.since)
        )
      ),

      followersOf: (spaceId) =>
        dieOnSqlError(
          Effect.map(
            sql<{
              readonly id: string
              readonly person_id: string
              readonly home_id: string
              readonly event_types: ReadonlyArray<string>
              readonly lens: Webhook["lens"]
              readonly created_at: Date
            }>`SELECT id, person_id, home_id, event_types, lens, created_at FROM webhooks_following(${spaceId}::uuid)`,
            (rows) =>
              rows.map((row) => ({
                webhookId: row.id,
                personId: row.person_id,
                homeId: row.home_id,
                eventTypes: row.event_types,
                lens: row.lens,
                createdAt: DateTime.unsafeFromDate(row.created_at)
              }))
          )
        ),

      due: (limit) =>
        dieOnSqlError(
          Effect.map(
            sql<{
              readonly id: string
              readonly person_id: string
            }>`SELECT id, person_id FROM webhooks_due(${callsOfWebhookMax}, ${limit})`,
            (rows) => rows.map((row) => ({ webhookId: row.id, personId: row.person_id }))
          )
        ),

      forgetOld: dieOnSqlError(Effect.asVoid(sql`SELECT forget_webhook_deliveries()`)),

      forgetFormerSecrets: dieOnSqlError(Effect.asVoid(sql`SELECT forget_former_secrets()`)),

      plan: Effect.fnUntraced(function* (planned) {
        const { bounds, reach } = yield* webhookBounds
        const added = yield* authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
          changed: sql`
            INSERT INTO webhook_deliveries
              (id, space_id, person_id, webhook_id, home_id, event_id, event_type, seq, subject_id, is_test)
            SELECT made.id, made."spaceId", authority.person::uuid, made."webhookId", made."homeId", made."eventId",
              made."eventType", made.seq, made."subjectId", made."isTest"
            FROM authority, jsonb_to_recordset(${JSON.stringify(planned)}::jsonb)
              AS made(id uuid, "spaceId" uuid, "webhookId" uuid, "homeId" uuid, "eventId" uuid, "eventType" text, seq bigint,
                "subjectId" uuid, "isTest" boolean)
            WHERE made."spaceId" = ANY (authority.spaces)
            ON CONFLICT (webhook_id, event_id) DO NOTHING
            RETURNING id`
        }))
        return added.length
      }),

      makeDue: Effect.fnUntraced(function* (webhookId, id) {
        const { bounds, reach } = yield* webhookBounds
        const rows = yield* authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
          // If another node sends this delivery now, that node holds a lease of the delivery. This statement does not
          // change the lease, so no two nodes send the delivery at the same time.
          changed: sql`
            UPDATE webhook_deliveries delivery
            SET status = 'pending', due_at = now(), delivered_at = NULL
            FROM authority
            WHERE ${own("delivery")}
              AND delivery.webhook_id = ${webhookId}::uuid AND delivery.id = ${id}::uuid
            RETURNING delivery.id`
        }))
        return rows.length > 0
      }),

      recover: Effect.fnUntraced(function* (webhookId, since, limit) {
        const { bounds, reach } = yield* webhookBounds
        const rows = yield* authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
          before: [
            sql`
              found AS (
                SELECT delivery.id FROM authority
                JOIN webhook_deliveries delivery ON ${own("delivery")}
                WHERE delivery.webhook_id = ${webhookId}::uuid AND delivery.status = 'failed'
                  -- A delivery that failed before migration 0094 has no time at which it ended.
                  AND coalesce(delivery.ended_at, delivery.created_at) >= ${DateTime.toDateUtc(since)}::timestamptz
                ORDER BY delivery.id
                LIMIT ${limit})`
          ],
          changed: sql`
            UPDATE webhook_deliveries delivery SET status = 'pending', due_at = now()
            FROM found WHERE delivery.id = found.id AND delivery.status = 'failed'
            RETURNING delivery.id`
        }))
        return rows.length
      }),

      waiting: Effect.fnUntraced(function* (webhookId) {
        const { bounds, reach } = yield* webhookBounds
        const [row] = yield* authorizedRead<{ readonly id: number }>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT count(*)::integer AS id
              FROM (
                SELECT 1 FROM webhook_deliveries delivery
                WHERE ${own("delivery")} AND delivery.webhook_id = ${webhookId}::uuid AND delivery.status = 'pending'
                LIMIT ${countedMax}) waiting`
        )
        return row?.id ?? 0
      }),

      list: Effect.fnUntraced(function* (webhookId, { cursor, limit, offset = 0, ...range }) {
        const { bounds, reach } = yield* webhookBounds
        const rows = yield* authorizedRead<DeliveryRow>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT delivery.id, delivery.webhook_id, delivery.event_id, delivery.event_type, delivery.status,
                delivery.attempt, delivery.response_status, delivery.response_body, delivery.error,
                delivery.delivered_at, delivery.due_at, delivery.created_at
              FROM webhook_deliveries delivery
              WHERE ${own("delivery")}
                AND delivery.webhook_id = ${webhookId}::uuid
                AND delivery.id < ${cursor?.id ?? highestId}::uuid
                ${plannedWithin(sql, range)}
              ORDER BY delivery.id DESC
              LIMIT ${limit} OFFSET ${offset}`
        )
        return rows.map(deliveryOf)
      }),

      latest: Effect.fnUntraced(function* (webhookIds, limit) {
        const { bounds, reach } = yield* webhookBounds
        const rows = yield* authorizedRead<DeliveryRow>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT latest.*
              FROM unnest(${[...webhookIds]}::uuid[]) WITH ORDINALITY AS asked(id, place)
              CROSS JOIN LATERAL (
                SELECT delivery.id, delivery.webhook_id, delivery.event_id, delivery.event_type, delivery.status,
                  delivery.attempt, delivery.response_status, delivery.response_body, delivery.error,
                  delivery.delivered_at, delivery.due_at, delivery.created_at
                FROM webhook_deliveries delivery
                WHERE ${own("delivery")}
                  AND delivery.webhook_id = asked.id
                ORDER BY delivery.id DESC
                LIMIT ${limit}) latest
              ORDER BY asked.place, latest.id DESC`
        )
        return rows.map(deliveryOf)
      }),

      attempts: Effect.fnUntraced(function* (webhookId, id) {
        const { bounds, reach } = yield* webhookBounds
        const [row] = yield* authorizedRead<AttemptsRow>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT delivery.id, delivery.event_id, delivery.is_test, delivery.body_start, delivery.attempts
              FROM webhook_deliveries delivery
              WHERE ${own("delivery")}
                AND delivery.webhook_id = ${webhookId}::uuid AND delivery.id = ${id}::uuid`
        )
        return row === undefined ? undefined : callsOf(row)
      }),

      figures: Effect.fnUntraced(function* (keyIds) {
        const { bounds, reach } = yield* webhookBounds
        const rows = yield* authorizedRead<FiguresRow>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
              SELECT record.id, called.ended, called.arrived, called.retrying, called.p95_ms, next.due_at
              FROM webhooks record
              CROSS JOIN LATERAL (
                SELECT count(*) FILTER (WHERE latest.status <> 'pending')::integer AS ended,
                  count(*) FILTER (WHERE latest.status = 'success')::integer AS arrived,
                  count(*) FILTER (WHERE latest.status = 'pending')::integer AS retrying,
                  percentile_disc(${figuresShare}) WITHIN GROUP (ORDER BY latest.latency_ms) AS p95_ms
                FROM (
                  SELECT delivery.status, delivery.latency_ms
                  FROM webhook_deliveries delivery
                  WHERE ${own("delivery")} AND delivery.webhook_id = record.id
                    AND delivery.ended_at > now() - make_interval(hours => ${figuresHours})
                  ORDER BY delivery.ended_at DESC, delivery.id DESC
                  LIMIT ${countedMax}) latest) called
              CROSS JOIN LATERAL (
                SELECT min(delivery.due_at) AS due_at FROM webhook_deliveries delivery
                WHERE ${own("delivery")} AND delivery.webhook_id = record.id AND delivery.status = 'pending') next
              WHERE ${within("record")} AND record.user_id = authority.person::uuid AND record.archived_at IS NULL
                AND (${keyIds === null}::boolean OR record.key_id = ANY (${arrayLiteral(keyIds ?? [])}::uuid[]))
                AND EXISTS (
                  SELECT 1 FROM webhook_deliveries delivery
                  WHERE ${own("delivery")} AND delivery.webhook_id = record.id)`
        )
        return rows.map(figuresOf)
      }),

      states: Effect.fnUntraced(function* (webhookIds) {
        const { bounds, reach } = yield* webhookBounds
        const rows = yield* authorizedRead<StateRow>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT state.webhook_id AS id, state.last_triggered_at, state.disabled_reason
              FROM webhook_states state
              WHERE ${own("state")}
                AND state.webhook_id = ANY (${arrayLiteral(webhookIds)}::uuid[])`
        )
        return rows.map(stateOf)
      }),

      enable: Effect.fnUntraced(function* (webhookId) {
        const { bounds, reach } = yield* webhookBounds
        yield* authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
          changed: sql`
            UPDATE webhook_states state SET failing_since = NULL, disabled_reason = NULL
            FROM authority
            WHERE state.webhook_id = ${webhookId}::uuid AND ${own("state")}
            RETURNING state.webhook_id AS id`
        }))
      })
    }
  })
)
