/** The SQL store of firings and of their runs. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead, authorizedWriteWithoutEvent, ownRows } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { AutomationStore } from "./AutomationStore.ts"
import { causeOf, type PlannedFiring } from "./Firing.ts"
import {
  claimedFiringOf,
  dueOf,
  type DueRow,
  type FiringRow,
  followerOf,
  type FollowerRow,
  scheduledRuleOf,
  type ScheduledRow
} from "./FiringRow.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"
import { isoOrNull, utcOrNull } from "../../platform/RowTimes.ts"

/** Converts a planned firing to one JSON object without nested objects. */
const flat = (planned: PlannedFiring) => ({
  id: planned.id,
  homeId: planned.homeId,
  ruleId: planned.ruleId,
  cause: causeOf(planned),
  eventId: planned.event?.id ?? null,
  eventType: planned.event?.type ?? null,
  eventSpaceId: planned.event?.spaceId ?? null,
  eventPersonId: planned.event?.personId ?? null,
  subjectId: planned.event?.subjectId ?? null,
  seq: planned.event?.seq ?? 0,
  scheduledAt: isoOrNull(planned.scheduledAt),
  correlationId: planned.correlationId,
  depth: planned.depth
})

export const layer = Layer.effect(
  AutomationStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const bounded = Effect.map(Reach, (reach) => ({ reach, bounds: reach.bounds("automation", "read") }))
    const own = ownRows(sql)
    const wasDone = Effect.map((rows: ReadonlyArray<unknown>) => rows.length > 0)

    return {
      since: dieOnSqlError(
        Effect.map(sql<{ readonly since: Date | null }>`SELECT automations_since() AS since`, ([row]) =>
          utcOrNull(row?.since)
        )
      ),

      followersOf: (spaceId) =>
        dieOnSqlError(
          Effect.map(
            sql<FollowerRow>`
              SELECT id, person_id, home_id, event_type, scope_kind, scope_workspace_id, created_at
              FROM automations_following(${spaceId}::uuid)`,
            (rows) => rows.map(followerOf)
          )
        ),

      scheduled: dieOnSqlError(
        Effect.map(
          sql<ScheduledRow>`SELECT id, person_id, home_id, cron, changed_at FROM automations_scheduled()`,
          (rows) => rows.map(scheduledRuleOf)
        )
      ),

      due: (limit) =>
        dieOnSqlError(
          Effect.map(sql<DueRow>`SELECT id, person_id, home_id FROM automations_due(${limit})`, (rows) =>
            rows.map(dueOf)
          )
        ),

      forgetOld: dieOnSqlError(Effect.asVoid(sql`SELECT forget_automation_firings()`)),

      plan: Effect.fnUntraced(function* (planned) {
        const { bounds, reach } = yield* bounded
        yield* authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
          changed: sql`
            INSERT INTO automation_firings
              (id, space_id, person_id, rule_id, cause, event_id, event_type, event_space_id, event_person_id, subject_id,
                seq, scheduled_at, correlation_id, depth)
            SELECT made.id, made."homeId", authority.person::uuid, made."ruleId", made.cause, made."eventId",
              made."eventType", made."eventSpaceId", made."eventPersonId", made."subjectId", made.seq,
              made."scheduledAt", made."correlationId", made.depth
            FROM authority, jsonb_to_recordset(${JSON.stringify(planned.map(flat))}::jsonb)
              AS made(id uuid, "homeId" uuid, "ruleId" uuid, cause text, "eventId" uuid, "eventType" text,
                "eventSpaceId" uuid, "eventPersonId" uuid, "subjectId" uuid, seq bigint, "scheduledAt" timestamptz,
                "correlationId" uuid, depth smallint)
            WHERE made."homeId" = ANY (authority.spaces)
            ON CONFLICT (rule_id, cause) DO NOTHING
            RETURNING id`
        }))
      }),

      claim: Effect.fnUntraced(function* (ruleId, leaseSeconds) {
        const { bounds, reach } = yield* bounded
        const [row] = yield* authorizedWriteWithoutEvent<FiringRow>(sql, reach, bounds, () => ({
          before: [
            sql`
              found AS (
                SELECT firing.id FROM authority
                JOIN automation_firings firing ON ${own("firing")}
                WHERE firing.rule_id = ${ruleId}::uuid AND firing.status <> 'done'
                  AND NOT EXISTS (
                    SELECT 1 FROM automation_firings held
                    WHERE held.rule_id = firing.rule_id AND held.status <> 'done'
                      AND held.leased_until > clock_timestamp())
                ORDER BY firing.id
                LIMIT 1)`
          ],
          changed: sql`
            UPDATE automation_firings firing
            SET attempt = firing.attempt + 1,
              leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
            FROM found WHERE firing.id = found.id
            RETURNING firing.id, firing.space_id, firing.rule_id, firing.event_id, firing.event_type,
              firing.event_space_id, firing.event_person_id, firing.subject_id, firing.seq::text AS seq,
              firing.scheduled_at, firing.correlation_id, firing.depth, firing.attempt, firing.rule_version,
              firing.made`
        }))
        return row === undefined ? null : claimedFiringOf(row)
      }),

      release: ({ attempt, id }) =>
        Effect.asVoid(
          Effect.flatMap(bounded, ({ bounds, reach }) =>
            authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
              changed: sql`
                UPDATE automation_firings firing SET attempt = firing.attempt - 1, leased_until = NULL
                FROM authority
                WHERE ${own("firing")}
                  AND firing.id = ${id}::uuid AND firing.attempt = ${attempt} AND firing.status <> 'done'
                RETURNING firing.id`
            }))
          )
        ),

      drop: ({ attempt, id }) =>
        Effect.asVoid(
          Effect.flatMap(bounded, ({ bounds, reach }) =>
            authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
              changed: sql`
                UPDATE automation_firings firing SET status = 'done', leased_until = NULL
                FROM authority
                WHERE ${own("firing")}
                  AND firing.id = ${id}::uuid AND firing.attempt = ${attempt} AND firing.status <> 'done'
                RETURNING firing.id`
            }))
          )
        ),

      recent: Effect.fnUntraced(function* (ruleId) {
        const { bounds, reach } = yield* bounded
        const [row] = yield* authorizedRead<{ readonly id: number; readonly refusals: number }>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT count(*) FILTER (WHERE NOT firing.is_refused)::integer AS id,
                count(*) FILTER (WHERE firing.is_refused)::integer AS refusals
              FROM automation_firings firing
              WHERE ${own("firing")}
                AND firing.rule_id = ${ruleId}::uuid AND firing.began_at > now() - interval '1 minute'`
        )
        return { runs: row?.id ?? 0, hasRefusal: (row?.refusals ?? 0) > 0 }
      }),

      begin: ({ attempt, id }, ruleVersion, isRefused) =>
        Effect.asVoid(
          Effect.flatMap(bounded, ({ bounds, reach }) =>
            authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
              before: [
                sql`
                  begun AS (
                    UPDATE automation_firings firing
                    SET status = 'running', is_refused = ${isRefused}::boolean, rule_version = ${ruleVersion}::integer, began_at = now()
                    FROM authority
                    WHERE ${own("firing")}
                      AND firing.id = ${id}::uuid AND firing.attempt = ${attempt} AND firing.status <> 'done'
                    RETURNING firing.*)`
              ],
              changed: sql`
                INSERT INTO automation_runs (id, space_id, user_id, actor_id, rule_id, event_id, status, started_at)
                SELECT begun.id, begun.space_id, begun.person_id, begun.person_id, begun.rule_id, begun.event_id, 'running', now()
                FROM begun, authority
                WHERE begun.space_id = ANY (authority.spaces)
                RETURNING id`
            }))
          )
        ),

      advance: ({ attempt, id }, result, leaseSeconds) =>
        Effect.flatMap(bounded, ({ bounds, reach }) =>
          authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
            changed: sql`
              UPDATE automation_firings firing
              SET made = firing.made || ${JSON.stringify([result])}::jsonb,
                leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
              FROM authority
              WHERE ${own("firing")}
                AND firing.id = ${id}::uuid AND firing.attempt = ${attempt} AND firing.status = 'running'
              RETURNING firing.id`
          }))
        ).pipe(wasDone),

      storeEnd: ({ attempt, id }, { error, status }) =>
        Effect.flatMap(bounded, ({ bounds, reach }) =>
          authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
            before: [
              sql`
                ended AS (
                  UPDATE automation_firings firing SET status = 'done', leased_until = NULL
                  FROM authority
                  WHERE ${own("firing")}
                    AND firing.id = ${id}::uuid AND firing.attempt = ${attempt} AND firing.status = 'running'
                  RETURNING firing.*)`
            ],
            changed: sql`
              UPDATE automation_runs run
              SET status = ${status}, error = ${error}::text, output = jsonb_build_object('steps', ended.made),
                finished_at = now(), updated_at = now(), version = run.version + 1
              FROM ended, authority
              WHERE run.id = ended.id AND run.space_id = ended.space_id AND run.space_id = ANY (authority.spaces)
              RETURNING run.id`
          }))
        ).pipe(wasDone)
    }
  })
)
