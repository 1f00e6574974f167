/** Deliveries in SQL. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { governedRead, governedStatement } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { governedWrite } from "../events/AppendEvent.ts"
import type { Webhook } from "./Webhook.ts"
import { claimedOf, type ClaimedRow, deliveryOf, type DeliveryRow, stateOf, type StateRow } from "./DeliveryRow.ts"
import { DeliveryStore, flyingMost, stopped, stopping } from "./DeliveryStore.ts"

export const layer = Layer.effect(
  DeliveryStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** The rows of the person in the spaces of the reach. */
    const within = (row: "delivery" | "state") =>
      sql.literal(`${row}.space_id = ANY (authority.spaces) AND ${row}.person_id = authority.person::uuid`)
    const bounded = Effect.map(Reach, (reach) => ({ reach, bounds: reach.bounds("webhook", "read") }))
    return {
      since: Effect.orDie(
        Effect.map(sql<{ readonly since: Date | null }>`SELECT webhooks_since() AS since`, ([row]) =>
          row?.since == null ? null : DateTime.unsafeFromDate(row.since)
        )
      ),

      following: (spaceId) =>
        Effect.orDie(
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

      due: (most) =>
        Effect.orDie(
          Effect.map(
            sql<{
              readonly id: string
              readonly person_id: string
            }>`SELECT id, person_id FROM webhooks_due(${flyingMost}, ${most})`,
            (rows) => rows.map((row) => ({ webhookId: row.id, personId: row.person_id }))
          )
        ),

      forgetOld: Effect.orDie(Effect.asVoid(sql`SELECT forget_webhook_deliveries()`)),

      forgetFormerSecrets: Effect.orDie(Effect.asVoid(sql`SELECT forget_former_secrets()`)),

      plan: (planned) =>
        Effect.gen(function* () {
          const { bounds, reach } = yield* bounded
          const [row] = yield* governedStatement<{ readonly id: string; readonly added: number }>(
            sql,
            reach,
            bounds,
            ({ withAuthority }) => sql`
              ${withAuthority},
              planned AS (
                INSERT INTO webhook_deliveries
                  (id, space_id, person_id, webhook_id, home_id, event_id, event_type, seq, subject_id, is_test)
                SELECT made.id, made."spaceId", authority.person::uuid, made."webhookId", made."homeId", made."eventId",
                  made."eventType", made.seq, made."subjectId", made."isTest"
                FROM authority, jsonb_to_recordset(${JSON.stringify(planned)}::jsonb)
                  AS made(id uuid, "spaceId" uuid, "webhookId" uuid, "homeId" uuid, "eventId" uuid, "eventType" text, seq bigint,
                    "subjectId" uuid, "isTest" boolean)
                WHERE made."spaceId" = ANY (authority.spaces)
                ON CONFLICT (webhook_id, event_id) DO NOTHING
                RETURNING id)
              SELECT authority.person AS id, (SELECT count(*)::integer FROM planned) AS added FROM authority`
          )
          return row?.added ?? 0
        }),

      claim: (webhookId, leaseSeconds) =>
        Effect.gen(function* () {
          const { bounds, reach } = yield* bounded
          const [row] = yield* governedStatement<ClaimedRow>(
            sql,
            reach,
            bounds,
            ({ withAuthority }) => sql`
              ${withAuthority},
              flying AS (
                SELECT count(*) AS number FROM authority
                JOIN webhook_deliveries delivery ON ${within("delivery")}
                WHERE delivery.webhook_id = ${webhookId}::uuid AND delivery.status = 'pending'
                  AND delivery.leased_until > clock_timestamp()),
              ready AS (
                SELECT first.id FROM authority
                -- The rows are read in the order of the index, and only until one may be claimed.
                CROSS JOIN LATERAL (
                  SELECT delivery.id FROM webhook_deliveries delivery
                  WHERE ${within("delivery")} AND delivery.webhook_id = ${webhookId}::uuid AND delivery.status = 'pending'
                    AND delivery.due_at <= clock_timestamp()
                    AND (delivery.leased_until IS NULL OR delivery.leased_until <= clock_timestamp())
                    AND NOT EXISTS (
                      SELECT 1 FROM webhook_deliveries earlier
                      WHERE earlier.webhook_id = delivery.webhook_id AND earlier.subject_id = delivery.subject_id
                        AND earlier.status = 'pending' AND earlier.seq < delivery.seq)
                  ORDER BY delivery.due_at, delivery.id
                  LIMIT 1) first
                WHERE (SELECT flying.number FROM flying) < ${flyingMost}
                  AND NOT EXISTS (
                    SELECT 1 FROM webhook_states state
                    WHERE state.webhook_id = ${webhookId}::uuid AND ${within("state")} AND state.disabled_reason IS NOT NULL)),
              claimed AS (
                UPDATE webhook_deliveries delivery
                SET attempt = delivery.attempt + 1,
                  leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
                FROM ready WHERE delivery.id = ready.id
                RETURNING delivery.*)
              SELECT claimed.id, claimed.space_id, claimed.webhook_id, claimed.home_id, claimed.event_id, claimed.event_type,
                claimed.seq::text AS seq, claimed.subject_id, claimed.is_test, claimed.attempt,
                EXISTS (
                  SELECT 1 FROM webhook_deliveries delivery
                  WHERE ${within("delivery")} AND delivery.webhook_id = claimed.webhook_id AND delivery.status = 'pending'
                    AND delivery.due_at <= clock_timestamp() AND delivery.id <> claimed.id) AS has_more
              FROM authority LEFT JOIN claimed ON true`
          )
          return row === undefined ? null : claimedOf(row)
        }),

      release: ({ attempt, id }) =>
        Effect.gen(function* () {
          const { bounds, reach } = yield* bounded
          yield* governedStatement<{ readonly id: string }>(
            sql,
            reach,
            bounds,
            ({ withAuthority }) => sql`
              ${withAuthority},
              released AS (
                UPDATE webhook_deliveries delivery
                SET attempt = delivery.attempt - 1, leased_until = NULL
                FROM authority
                WHERE ${within("delivery")} AND delivery.id = ${id}::uuid AND delivery.attempt = ${attempt}
                  AND delivery.status = 'pending')
              SELECT authority.person AS id FROM authority`
          )
        }),

      settle: (claimed, outcome) =>
        Effect.gen(function* () {
          const { bounds, reach } = yield* bounded
          const { attempt, id } = claimed
          const isSuccess = outcome.status === "success"
          const settled = sql`
            settled AS (
              UPDATE webhook_deliveries delivery
              SET status = ${outcome.status}, leased_until = NULL,
                due_at = clock_timestamp() + make_interval(secs => ${outcome.pauseSeconds}::double precision),
                response_status = ${outcome.responseStatus}::integer, response_body = ${outcome.responseBody}::text,
                error = ${outcome.error}::text,
                delivered_at = CASE WHEN ${isSuccess}::boolean THEN now() END
              FROM authority
              WHERE ${within("delivery")} AND delivery.id = ${id}::uuid AND delivery.attempt = ${attempt}
                AND delivery.status = 'pending'
              RETURNING delivery.webhook_id, delivery.home_id, delivery.person_id)`
          if (isSuccess) {
            yield* governedStatement<{ readonly id: string }>(
              sql,
              reach,
              bounds,
              ({ withAuthority }) => sql`
                ${withAuthority},
                ${settled},
                noted AS (
                  INSERT INTO webhook_states AS state (webhook_id, space_id, person_id, last_triggered_at)
                  SELECT settled.webhook_id, settled.home_id, settled.person_id, now() FROM settled, authority
                  WHERE settled.home_id = ANY (authority.spaces)
                  ON CONFLICT (webhook_id) DO UPDATE SET last_triggered_at = now(), failing_since = NULL)
                SELECT authority.person AS id FROM authority`
            )
            return
          }
          yield* governedWrite(sql, reach, bounds, stopping, stopped(claimed, outcome), () => ({
            before: [
              settled,
              sql`
                former AS (
                  SELECT state.disabled_reason FROM authority
                  JOIN webhook_states state ON ${within("state")}
                  WHERE state.webhook_id = ${claimed.webhookId}::uuid)`,
              sql`
                noted AS (
                  INSERT INTO webhook_states AS state
                    (webhook_id, space_id, person_id, last_triggered_at, failing_since, disabled_reason)
                  SELECT settled.webhook_id, settled.home_id, settled.person_id, now(), now(),
                    CASE WHEN ${outcome.isGone}::boolean THEN 'gone' END
                  FROM settled, authority
                  WHERE settled.home_id = ANY (authority.spaces)
                  ON CONFLICT (webhook_id) DO UPDATE SET
                    last_triggered_at = now(),
                    failing_since = coalesce(state.failing_since, now()),
                    disabled_reason = CASE
                      WHEN ${outcome.isGone}::boolean THEN 'gone'
                      WHEN state.failing_since < now() - make_interval(secs => ${outcome.disableAfterSeconds}::double precision)
                        THEN 'failing'
                      ELSE state.disabled_reason END
                  RETURNING state.webhook_id, state.space_id, state.disabled_reason)`
            ],
            changed: sql`
              SELECT noted.webhook_id AS id, noted.space_id FROM noted
              WHERE noted.disabled_reason IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM former WHERE former.disabled_reason IS NOT NULL)`,
            columns: sql`authority.person AS id`
          }))
        }),

      drop: (id) =>
        Effect.gen(function* () {
          const { bounds, reach } = yield* bounded
          yield* governedStatement<{ readonly id: string }>(
            sql,
            reach,
            bounds,
            ({ withAuthority }) => sql`
              ${withAuthority},
              dropped AS (
                DELETE FROM webhook_deliveries delivery USING authority
                WHERE ${within("delivery")} AND delivery.id = ${id}::uuid)
              SELECT authority.person AS id FROM authority`
          )
        }),

      again: (webhookId, id) =>
        Effect.gen(function* () {
          const { bounds, reach } = yield* bounded
          const rows = yield* governedStatement<{ readonly id: string }>(
            sql,
            reach,
            bounds,
            // A call that is being made keeps its lease, and is not made twice.
            ({ withAuthority }) => sql`
              ${withAuthority},
              again AS (
                UPDATE webhook_deliveries delivery
                SET status = 'pending', due_at = now(), delivered_at = NULL
                FROM authority
                WHERE ${within("delivery")}
                  AND delivery.webhook_id = ${webhookId}::uuid AND delivery.id = ${id}::uuid
                RETURNING delivery.id)
              SELECT again.id FROM authority LEFT JOIN again ON true`
          )
          return rows.length > 0
        }),

      recover: (webhookId, since, most) =>
        Effect.gen(function* () {
          const { bounds, reach } = yield* bounded
          const rows = yield* governedStatement<{ readonly id: string }>(
            sql,
            reach,
            bounds,
            ({ withAuthority }) => sql`
              ${withAuthority},
              failed AS (
                SELECT delivery.id FROM authority
                JOIN webhook_deliveries delivery ON ${within("delivery")}
                WHERE delivery.webhook_id = ${webhookId}::uuid AND delivery.status = 'failed'
                  AND delivery.created_at >= ${DateTime.toDateUtc(since)}::timestamptz
                ORDER BY delivery.id
                LIMIT ${most}),
              recovered AS (
                UPDATE webhook_deliveries delivery SET status = 'pending', due_at = now()
                FROM failed WHERE delivery.id = failed.id AND delivery.status = 'failed'
                RETURNING delivery.id)
              SELECT recovered.id FROM authority LEFT JOIN recovered ON true`
          )
          return rows.length
        }),

      waiting: (webhookId) =>
        Effect.gen(function* () {
          const { bounds, reach } = yield* bounded
          const [row] = yield* governedRead<{ readonly id: number }>(
            sql,
            reach,
            bounds,
            () => sql`
              SELECT count(*)::integer AS id FROM webhook_deliveries delivery
              WHERE ${within("delivery")} AND delivery.webhook_id = ${webhookId}::uuid AND delivery.status = 'pending'`
          )
          return row?.id ?? 0
        }),

      list: (webhookId, limit) =>
        Effect.gen(function* () {
          const { bounds, reach } = yield* bounded
          const rows = yield* governedRead<DeliveryRow>(
            sql,
            reach,
            bounds,
            () => sql`
              SELECT delivery.id, delivery.webhook_id, delivery.event_id, delivery.event_type, delivery.status,
                delivery.attempt, delivery.response_status, delivery.response_body, delivery.error,
                delivery.delivered_at, delivery.due_at, delivery.created_at
              FROM webhook_deliveries delivery
              WHERE ${within("delivery")}
                AND delivery.webhook_id = ${webhookId}::uuid
              ORDER BY delivery.id DESC
              LIMIT ${limit}`
          )
          return rows.map(deliveryOf)
        }),

      states: (webhookIds) =>
        Effect.gen(function* () {
          const { bounds, reach } = yield* bounded
          const rows = yield* governedRead<StateRow>(
            sql,
            reach,
            bounds,
            () => sql`
              SELECT state.webhook_id AS id, state.last_triggered_at, state.disabled_reason
              FROM webhook_states state
              WHERE ${within("state")}
                AND state.webhook_id = ANY (${`{${webhookIds.join(",")}}`}::uuid[])`
          )
          return rows.map(stateOf)
        }),

      enable: (webhookId) =>
        Effect.gen(function* () {
          const { bounds, reach } = yield* bounded
          yield* governedStatement<{ readonly id: string }>(
            sql,
            reach,
            bounds,
            ({ withAuthority }) => sql`
              ${withAuthority},
              enabled AS (
                UPDATE webhook_states state SET failing_since = NULL, disabled_reason = NULL
                FROM authority
                WHERE state.webhook_id = ${webhookId}::uuid AND ${within("state")})
              SELECT authority.person AS id FROM authority`
          )
        })
    }
  })
)
