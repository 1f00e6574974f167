/** Implements `NotificationStore` in SQL. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { behindSql } from "../../doors/PageSql.ts"
import { authorizedRead, authorizedWriteWithoutEvent, ownRows } from "../../doors/Authority.ts"
import { inSpaces, Reach } from "../../doors/Reach.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { type NotificationPreferences, standardPreferences } from "./Notification.ts"
import { notificationColumns, notificationOf, type NotificationRow } from "./NotificationRow.ts"
import { changedEvent, createdEvent, eventsKept, NotificationStore } from "./NotificationStore.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"
import { dateOrNull } from "../../platform/RowTimes.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"

export const layer = Layer.effect(
  NotificationStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(notificationColumns)
    const own = ownRows(sql)
    const bounded = Effect.map(Reach, (reach) => ({ reach, bounds: reach.bounds("notification", "read") }))

    return {
      add: Effect.fnUntraced(function* (planned, passed) {
        const { bounds, reach } = yield* bounded
        const { data, eventId, heldUntil, id, isOnce, kind, spaceId, subjectId, subjectType } = planned
        const rows = yield* authorizedWrite<{ readonly id: string }>(
          sql,
          reach,
          { bounds, passed, event: createdEvent(planned) },
          () => ({
            before: [
              sql`
                stored AS (
                  INSERT INTO notifications AS notice
                    (id, space_id, person_id, event_id, event_ids, kind, subject_id, subject_type, data, held_until)
                  SELECT ${id}::uuid, ${spaceId}::uuid, authority.person::uuid, ${eventId}::uuid, ARRAY[${eventId}::uuid],
                    ${kind}, ${subjectId}::uuid, ${subjectType}, ${JSON.stringify(data)}::jsonb, ${dateOrNull(heldUntil)}::timestamptz
                  FROM authority
                  WHERE ${spaceId}::uuid = ANY (authority.spaces)
                    AND NOT EXISTS (
                      SELECT 1 FROM notifications known
                      WHERE ${own("known")}
                        AND known.kind = ${kind} AND known.subject_id = ${subjectId}::uuid
                        AND (${isOnce}::boolean OR ${eventId}::uuid = ANY (known.event_ids)))
                  ON CONFLICT (person_id, kind, subject_id) WHERE read_at IS NULL AND dismissed_at IS NULL
                  DO UPDATE SET
                    count = notice.count + 1,
                    data = excluded.data,
                    event_ids = (excluded.event_ids || notice.event_ids)[1:${sql.literal(String(eventsKept))}],
                    held_until = CASE WHEN notice.held_until > now() THEN excluded.held_until ELSE notice.held_until END,
                    updated_at = now()
                    WHERE NOT (${eventId}::uuid = ANY (notice.event_ids))
                  RETURNING notice.id, notice.person_id)`
            ],
            changed: sql`SELECT stored.id, stored.person_id AS space_id FROM stored`,
            // The statement possibly adds the event to an earlier notification, which has another id.
            eventSubject: sql`(SELECT stored.id FROM stored)`
          })
        )
        return rows.length > 0
      }),

      list: Effect.fnUntraced(function* ({ cursor, exceptKind, kind, limit, spaceId, state }) {
        const { bounds, reach } = yield* bounded
        const inState = {
          open: sql.literal("notice.dismissed_at IS NULL"),
          unread: sql.literal(
            "notice.read_at IS NULL AND notice.dismissed_at IS NULL AND (notice.held_until IS NULL OR notice.held_until <= now())"
          ),
          held: sql.literal("notice.read_at IS NULL AND notice.dismissed_at IS NULL AND notice.held_until > now()"),
          dismissed: sql.literal("notice.dismissed_at IS NOT NULL")
        }[state]
        const past = behindSql(sql, { time: "notice.updated_at", id: "notice.id" }, cursor)
        const rows = yield* authorizedRead<NotificationRow>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT ${columns}
              FROM notifications notice
              WHERE ${own("notice")} AND ${inState} ${past}
                ${kind === undefined ? sql.literal("") : sql`AND notice.kind = ${kind}`}
                ${exceptKind === undefined ? sql.literal("") : sql`AND notice.kind IS DISTINCT FROM ${exceptKind}`}
                ${spaceId === undefined ? sql.literal("") : sql`AND notice.space_id = ${spaceId}::uuid`}
              ORDER BY notice.updated_at DESC, notice.id DESC
              LIMIT ${limit}`
        )
        return rows.map(notificationOf)
      }),

      find: Effect.fnUntraced(function* (id) {
        const { bounds, reach } = yield* bounded
        const [row] = yield* authorizedRead<NotificationRow>(
          sql,
          reach,
          bounds,
          () => sql`SELECT ${columns} FROM notifications notice WHERE ${own("notice")} AND notice.id = ${id}::uuid`
        )
        return row === undefined ? null : notificationOf(row)
      }),

      mark: Effect.fnUntraced(function* (ids, action, event, passed) {
        const { bounds, reach } = yield* bounded
        const [row] = yield* authorizedWrite<{ readonly id: string; readonly count: number }>(
          sql,
          reach,
          { bounds, passed, event },
          () => ({
            before: [
              sql`
                marked AS (
                  UPDATE notifications notice
                  SET ${sql.literal(action === "read" ? "read_at" : "dismissed_at")} = now()
                  FROM authority
                  WHERE ${own("notice")} AND notice.id = ANY (${arrayLiteral(ids)}::uuid[]) AND notice.dismissed_at IS NULL
                    ${sql.literal(action === "read" ? "AND notice.read_at IS NULL" : "")}
                  RETURNING notice.id)`
            ],
            changed: sql`
                SELECT authority.person::uuid AS id, authority.person::uuid AS space_id, counted.count
                FROM authority, (SELECT count(*)::integer AS count FROM marked) counted
                WHERE counted.count > 0`
          })
        )
        return row?.count ?? 0
      }),

      markSubjectRead: Effect.fnUntraced(function* (kind, subjectId) {
        const { bounds, reach } = yield* bounded
        yield* authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
          changed: sql`
            SELECT authority.person AS id, settle_notifications(${kind}, ${subjectId}::uuid) AS settled
            FROM authority`
        }))
      }),

      settleExpired: dieOnSqlError(Effect.asVoid(sql`SELECT settle_expired_notifications()`)),
      forgetOld: dieOnSqlError(Effect.asVoid(sql`SELECT forget_notifications()`)),

      people: Effect.fnUntraced(function* (spaceId) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{ readonly id: string; readonly name: string }>(
          sql,
          reach,
          inSpaces(reach.bounds("member", "read"), [spaceId]),
          () => sql`
              SELECT person.id, person.name
              FROM memberships member
              JOIN users person ON person.id = member.user_id AND person.kind = 'person' AND person.suspended_at IS NULL
              WHERE member.space_id = ANY (authority.spaces)
              ORDER BY person.id`
        )
        return rows.map(({ id, name }) => ({ id, name }))
      }),

      preferences: Effect.gen(function* () {
        const { bounds, reach } = yield* bounded
        const [row] = yield* authorizedRead<{ readonly id: string; readonly preferences: NotificationPreferences }>(
          sql,
          reach,
          inSpaces(bounds, [reach.principal.personId]),
          () => sql`
            SELECT preference.person_id AS id, preference.preferences
            FROM notification_preferences preference
            WHERE ${own("preference")}`
        )
        // Switches on the kinds of notifications that did not exist when the person stored the preferences.
        return row === undefined
          ? standardPreferences
          : {
              ...standardPreferences,
              ...row.preferences,
              kinds: { ...standardPreferences.kinds, ...row.preferences.kinds }
            }
      }),

      setPreferences: Effect.fnUntraced(function* (preferences, heldUntil, passed) {
        const { bounds, reach } = yield* bounded
        const { personId } = reach.principal
        yield* authorizedWrite<{ readonly id: string }>(
          sql,
          reach,
          { bounds, passed, event: changedEvent(undefined, { preferences: true }) },
          () => ({
            before: [
              sql`
                held AS (
                  UPDATE notifications notice SET held_until = ${dateOrNull(heldUntil)}::timestamptz
                  FROM authority
                  WHERE ${own("notice")} AND notice.held_until > now())`
            ],
            changed: sql`
                INSERT INTO notification_preferences (space_id, person_id, preferences)
                SELECT ${personId}::uuid, authority.person::uuid, ${JSON.stringify(preferences)}::jsonb
                FROM authority
                WHERE ${personId}::uuid = ANY (authority.spaces)
                ON CONFLICT (person_id, space_id) DO UPDATE SET preferences = excluded.preferences, updated_at = now()
                RETURNING person_id AS id, space_id`
          })
        )
      })
    }
  })
)
