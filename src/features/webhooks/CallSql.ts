/** The SQL store of calls to webhooks. Each statement reads or writes many calls of one person. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedWriteWithoutEvent, ownRows } from "../../doors/Authority.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { CallStore, callsOfWebhookMax, disabledEvent, disablePassed } from "./CallStore.ts"
import { attemptBodyMax, attemptsKept, type DisabledReason } from "./Delivery.ts"
import { claimedDeliveriesOf, type ClaimedRow } from "./DeliveryRow.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import { webhookBounds } from "./DeliveryBounds.ts"

// how many due deliveries of a webhook a claim looks at; it claims at most `callsOfWebhookMax` of them
const lookedAtMax = 16
// A claim puts off at most this many subjects, and at most this many deliveries about each of them. Without these limits,
// one statement could change hundreds of thousands of rows. The next claim puts off further deliveries.
const subjectsPutOffMax = 20
const putOffMax = 100

export const layer = Layer.effect(
  CallStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const own = ownRows(sql)
    /** The condition for deliveries of an open webhook that are due and that no pod sends now. */
    const dueOfOpen = sql`
      delivery.webhook_id = open.id AND delivery.status = 'pending' AND delivery.due_at <= clock_timestamp()
      AND (delivery.leased_until IS NULL OR delivery.leased_until <= clock_timestamp())`
    /**
     * The part of a statement that makes the next delivery of each subject due. `ended` is the name of an earlier part,
     * with the deliveries that no longer wait.
     */
    const wokenAfter = (ended: string) => sql`
      woken AS (
        UPDATE webhook_deliveries delivery SET due_at = clock_timestamp()
        FROM authority, (
          SELECT (
            SELECT later.id FROM webhook_deliveries later
            WHERE later.webhook_id = ended.webhook_id AND later.subject_id = ended.subject_id
              AND later.status = 'pending' AND later.seq > ended.seq
            ORDER BY later.seq, later.id LIMIT 1) AS id
          FROM ${sql.literal(ended)} ended WHERE ended.status <> 'pending') next
        WHERE ${own("delivery")} AND delivery.id = next.id
        RETURNING delivery.webhook_id)`
    return {
      claim: Effect.fnUntraced(function* (webhookIds, limit, leaseSeconds) {
        const { bounds, reach } = yield* webhookBounds
        const rows = yield* authorizedWriteWithoutEvent<ClaimedRow>(sql, reach, bounds, () => ({
          before: [
            sql`
              open AS (
                SELECT asked.id, ${callsOfWebhookMax} - (
                  SELECT count(*) FROM webhook_deliveries delivery
                  WHERE ${own("delivery")} AND delivery.webhook_id = asked.id AND delivery.status = 'pending'
                    AND delivery.leased_until > clock_timestamp()) AS room
                FROM authority CROSS JOIN (SELECT DISTINCT unnest(${arrayLiteral(webhookIds)}::uuid[]) AS id) asked
                WHERE NOT EXISTS (
                  SELECT 1 FROM webhook_states state
                  WHERE state.webhook_id = asked.id AND ${own("state")} AND state.disabled_reason IS NOT NULL))`,
            sql`
              near AS (
                SELECT open.id AS webhook_id, open.room, next.id, next.due_at, next.subject_id,
                  head.id AS head_id, head.seq AS head_seq, head.until
                FROM authority CROSS JOIN open
                CROSS JOIN LATERAL (
                  SELECT delivery.id, delivery.due_at, delivery.subject_id, delivery.seq
                  FROM webhook_deliveries delivery
                  WHERE ${own("delivery")} AND ${dueOfOpen}
                  ORDER BY delivery.due_at, delivery.id
                  LIMIT ${lookedAtMax}) next
                -- The first waiting delivery about the same subject, if this one is not the first.
                LEFT JOIN LATERAL (
                  SELECT earlier.id, earlier.seq, greatest(earlier.due_at, earlier.leased_until) AS until
                  FROM webhook_deliveries earlier
                  WHERE earlier.webhook_id = open.id AND earlier.subject_id = next.subject_id
                    AND earlier.status = 'pending' AND earlier.seq < next.seq
                  ORDER BY earlier.seq, earlier.id
                  LIMIT 1) head ON true
                WHERE open.room > 0)`,
            sql`
              found AS (
                SELECT first.id FROM (
                  SELECT near.id, near.due_at, near.room,
                    row_number() OVER (PARTITION BY near.webhook_id ORDER BY near.due_at, near.id) AS place
                  FROM near WHERE near.head_seq IS NULL) first
                WHERE first.place <= first.room
                ORDER BY first.place, first.due_at, first.id
                LIMIT ${limit})`,
            sql`
              put_off AS (
                UPDATE webhook_deliveries delivery
                SET due_at = greatest(later.until, clock_timestamp() + make_interval(secs => ${leaseSeconds}))
                FROM (
                  SELECT behind.id, blocked.until
                  FROM (
                    SELECT DISTINCT near.head_id AS id, near.webhook_id, near.subject_id, near.head_seq, near.until
                    FROM near WHERE near.head_seq IS NOT NULL
                    ORDER BY near.webhook_id, near.head_id
                    LIMIT ${subjectsPutOffMax}) blocked
                  CROSS JOIN authority
                  CROSS JOIN LATERAL (
                    SELECT delivery.id FROM webhook_deliveries delivery
                    WHERE ${own("delivery")} AND delivery.webhook_id = blocked.webhook_id
                      AND delivery.subject_id = blocked.subject_id AND delivery.status = 'pending'
                      AND delivery.seq > blocked.head_seq AND delivery.due_at <= clock_timestamp()
                    ORDER BY delivery.seq, delivery.id
                    LIMIT ${putOffMax}
                    -- A pod that stores results locks the rows that it makes due, and is never waited for here.
                    FOR UPDATE SKIP LOCKED) behind) later
                WHERE delivery.id = later.id
                RETURNING delivery.id)`
          ],
          changed: sql`
            UPDATE webhook_deliveries delivery
            SET attempt = delivery.attempt + 1,
              leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
            FROM found WHERE delivery.id = found.id
            RETURNING delivery.*`,
          columns: sql`
            open.id, changed.id AS delivery_id, changed.space_id, changed.home_id, changed.event_id,
            changed.event_type, changed.seq::text AS seq, changed.subject_id, changed.is_test, changed.attempt,
            open.room <= (SELECT count(*) FROM changed other WHERE other.webhook_id = open.id) AS is_full,
            EXISTS (
              SELECT 1 FROM webhook_deliveries delivery
              WHERE ${own("delivery")} AND ${dueOfOpen}
                AND delivery.id NOT IN (SELECT found.id FROM found UNION ALL SELECT put_off.id FROM put_off)
            ) AS has_more`,
          joins: sql`
            LEFT JOIN open ON true LEFT JOIN changed ON changed.webhook_id = open.id
            ORDER BY changed.due_at, changed.id`
        }))
        const idsWithMore = (isFull: boolean) => [
          ...new Set(rows.flatMap(({ has_more, id, is_full }) => (has_more && is_full === isFull ? [id] : [])))
        ]
        return {
          claimed: rows.flatMap(claimedDeliveriesOf),
          claimable: idsWithMore(false),
          waiting: idsWithMore(true)
        }
      }),

      release: Effect.fnUntraced(function* (claimed) {
        const { bounds, reach } = yield* webhookBounds
        const attempts = JSON.stringify(claimed.map(({ attempt, id }) => ({ id, attempt })))
        yield* authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
          changed: sql`
            UPDATE webhook_deliveries delivery
            SET attempt = delivery.attempt - 1, leased_until = NULL
            FROM authority, jsonb_to_recordset(${attempts}::jsonb) AS made(id uuid, attempt integer)
            WHERE ${own("delivery")} AND delivery.id = made.id AND delivery.attempt = made.attempt
              AND delivery.status = 'pending'
            RETURNING delivery.id`
        }))
      }),

      storeResults: Effect.fnUntraced(function* (ended, disableAfterSeconds) {
        const { bounds, reach } = yield* webhookBounds
        const ends = JSON.stringify(
          ended.map(({ claimed: { attempt, id }, outcome }, place) => ({ id, attempt, place, ...outcome }))
        )
        const rows = yield* authorizedWriteWithoutEvent<{
          readonly id: string
          readonly reason: DisabledReason | null
          readonly has_next: boolean
        }>(sql, reach, bounds, () => ({
          before: [
            sql`
              settled AS (
                UPDATE webhook_deliveries delivery
                SET status = made.status, leased_until = NULL,
                  due_at = clock_timestamp() + make_interval(secs => made."pauseSeconds"),
                  ended_at = now(), latency_ms = made."latencyMs",
                  body_start = coalesce(delivery.body_start, made.request ->> 'bodyStart'),
                  attempts = CASE WHEN jsonb_array_length(delivery.attempts) < ${attemptsKept} THEN delivery.attempts
                    ELSE delivery.attempts - 0 END || jsonb_build_array(jsonb_build_object(
                      'attempt', delivery.attempt, 'at', made."startedAt", 'latencyMs', made."latencyMs",
                      'requestHeaders', made.request -> 'headers', 'bodyEnd', made.request -> 'bodyEnd',
                      'isCut', made.request -> 'isCut',
                      -- The start is a part of the call only if it differs from that of an earlier call.
                      'bodyStart', nullif(made.request ->> 'bodyStart',
                        coalesce(delivery.body_start, made.request ->> 'bodyStart')),
                      'responseStatus', made."responseStatus", 'responseHeaders', made."responseHeaders",
                      'responseBody', left(made."responseBody", ${attemptBodyMax}),
                      'error', made.error)),
                  response_status = made."responseStatus", response_body = made."responseBody", error = made.error,
                  delivered_at = CASE WHEN made.status = 'success' THEN now() END
                FROM authority, jsonb_to_recordset(${ends}::jsonb)
                  AS made(id uuid, attempt integer, place integer, status text, "pauseSeconds" double precision, request jsonb,
                    "responseStatus" integer, "responseHeaders" jsonb, "responseBody" text, error text, "isGone" boolean,
                    "startedAt" text, "latencyMs" integer)
                WHERE ${own("delivery")} AND delivery.id = made.id AND delivery.attempt = made.attempt
                  AND delivery.status = 'pending'
                RETURNING delivery.webhook_id, delivery.home_id, delivery.person_id, delivery.subject_id, delivery.seq,
                  made.place, made.status, made."isGone")`,
            wokenAfter("settled"),
            sql`
              ends AS (
                SELECT settled.webhook_id, settled.home_id, settled.person_id, bool_or(settled."isGone") AS is_gone,
                  bool_or(settled.status = 'success') AS has_success,
                  (array_agg(settled.status ORDER BY settled.place DESC))[1] <> 'success' AS is_failing
                FROM settled GROUP BY settled.webhook_id, settled.home_id, settled.person_id)`
          ],
          changed: sql`
            INSERT INTO webhook_states AS state (webhook_id, space_id, person_id, last_triggered_at, failing_since)
            SELECT ends.webhook_id, ends.home_id, ends.person_id, now(), CASE WHEN ends.is_failing THEN now() END
            FROM ends, authority
            WHERE ends.home_id = ANY (authority.spaces)
            -- Pods that store the ends of the same webhooks lock their rows in the same order.
            ORDER BY ends.webhook_id
            ON CONFLICT (webhook_id) DO UPDATE SET
              last_triggered_at = now(),
              failing_since = CASE
                WHEN excluded.failing_since IS NULL THEN NULL
                WHEN (SELECT of_this.has_success FROM ends of_this WHERE of_this.webhook_id = excluded.webhook_id) THEN now()
                ELSE coalesce(state.failing_since, now()) END
            RETURNING state.webhook_id, state.failing_since, state.disabled_reason`,
          columns: sql`
            changed.webhook_id AS id,
            EXISTS (SELECT 1 FROM woken WHERE woken.webhook_id = changed.webhook_id) AS has_next, CASE
            WHEN changed.disabled_reason IS NOT NULL THEN NULL
            WHEN ends.is_gone THEN 'gone'
            WHEN changed.failing_since < now() - make_interval(secs => ${disableAfterSeconds}::double precision)
              THEN 'failing' END AS reason`,
          joins: sql.literal("LEFT JOIN (changed JOIN ends ON ends.webhook_id = changed.webhook_id) ON true")
        }))
        return {
          unwanted: rows.flatMap(({ id, reason }) => (reason === null ? [] : [{ webhookId: id, reason }])),
          claimable: rows.flatMap(({ has_next, id }) => (has_next ? [id] : []))
        }
      }),

      stop: Effect.fnUntraced(function* (unwanted) {
        const { bounds, reach } = yield* webhookBounds
        yield* authorizedWrite(sql, reach, { bounds, passed: disablePassed, event: disabledEvent(unwanted) }, () => ({
          changed: sql`
              UPDATE webhook_states state SET disabled_reason = ${unwanted.reason}
              FROM authority
              WHERE ${own("state")} AND state.webhook_id = ${unwanted.webhookId}::uuid AND state.disabled_reason IS NULL
              RETURNING state.webhook_id AS id, state.space_id`,
          columns: sql`authority.person AS id`
        }))
      }),

      drop: Effect.fnUntraced(function* (ids) {
        const { bounds, reach } = yield* webhookBounds
        yield* authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
          changed: sql`
            DELETE FROM webhook_deliveries delivery USING authority
            WHERE ${own("delivery")} AND delivery.id = ANY (${arrayLiteral(ids)}::uuid[])
            RETURNING delivery.id, delivery.webhook_id, delivery.subject_id, delivery.seq, 'dropped' AS status`,
          after: [wokenAfter("changed")]
        }))
      })
    }
  })
)
