/** The SQL store of the events of the pulse. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { feedBounds } from "./EventFeed.ts"
import { eventColumns, eventOfRow, type EventRow } from "./EventRow.ts"
import { kindMarks, type ReactionKind } from "./ReactionKind.ts"
import { ReactiveEvents } from "./ReactiveEvents.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import { textLiteral } from "../../platform/TextLiteral.ts"

/**
 * The condition of the index `events_reactive`. A query with this condition reads only events that can themselves be
 * reactions.
 */
const reactive = `(event.source IN ('automation', 'intelligence') OR event.actor_id <> event.user_id
  OR event.type LIKE 'automation.%' OR event.type LIKE 'cron.%' OR event.type LIKE 'ai.%' OR event.type LIKE 'feed.item.%'
  OR event.type = 'webhook.received' OR event.type = 'webhook.disabled')`

/** Makes the SQL conditions for a kind of reaction. */
const conditionOf = (kind: ReactionKind): ReadonlyArray<string> => {
  const { isByAgent, prefixes = [], source, types = [] } = kindMarks[kind]
  return [
    ...prefixes.map((prefix) => `event.type LIKE ${textLiteral(`${prefix}%`)}`),
    ...types.map((type) => `event.type = ${textLiteral(type)}`),
    ...(source === undefined ? [] : [`event.source = ${textLiteral(source)}`]),
    ...(isByAgent === true ? ["event.actor_id <> event.user_id"] : [])
  ]
}

export const layer = Layer.effect(
  ReactiveEvents,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(eventColumns)
    return {
      list: Effect.fnUntraced(function* ({ before, ids, kinds, limit, type, workspaceId }) {
        const reach = yield* Reach
        const ofKinds = kinds.flatMap(conditionOf)
        const further = [
          ...(before === undefined ? [] : [sql`AND event.id < ${before}::uuid`]),
          ...(type === undefined ? [] : [sql`AND event.type = ${type}`])
        ].reduce((all, condition) => sql`${all} ${condition}`, sql`event.user_id = ${reach.principal.personId}::uuid`)
        const rows = yield* authorizedRead<EventRow>(
          sql,
          reach,
          feedBounds(reach, { workspaceId }),
          ({ within }) => sql`
              SELECT * FROM (
                (SELECT ${columns}
                FROM events event
                WHERE ${within("event")} AND ${further}
                  AND ${sql.literal(ofKinds.length === 0 ? "false" : `${reactive} AND (${ofKinds.join(" OR ")})`)}
                ORDER BY event.id DESC
                LIMIT ${limit})
                UNION
                (SELECT ${columns}
                FROM events event
                WHERE ${within("event")} AND ${further} AND event.id = ANY (${arrayLiteral(ids)}::uuid[])
                ORDER BY event.id DESC
                LIMIT ${limit})
              ) event
              ORDER BY event.id DESC
              LIMIT ${limit}`
        )
        return rows.map(eventOfRow)
      }),

      causedBy: Effect.fnUntraced(function* (eventIds, limit) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<EventRow>(
          sql,
          reach,
          feedBounds(reach, {}),
          ({ within }) => sql`
              SELECT ${columns}
              FROM events event
              WHERE ${within("event")} AND event.user_id = ${reach.principal.personId}::uuid
                AND event.causation_id = ANY (${arrayLiteral(eventIds)}::uuid[])
              ORDER BY event.id
              LIMIT ${limit}`
        )
        return rows.map(eventOfRow)
      }),

      causesOf: Effect.fnUntraced(function* (caused, { before, limit }) {
        const reach = yield* Reach
        const sort = sql.literal(
          caused === "automation" ? "event.source = 'automation'" : "event.type = 'notification.create'"
        )
        const rows = yield* authorizedRead<{ readonly id: string }>(
          sql,
          reach,
          feedBounds(reach, {}),
          ({ within }) => sql`
              SELECT DISTINCT event.causation_id AS id
              FROM events event
              WHERE ${within("event")} AND event.user_id = ${reach.principal.personId}::uuid
                AND event.causation_id IS NOT NULL AND (event.source = 'automation' OR event.type = 'notification.create')
                AND ${sort}
                ${before === undefined ? sql.literal("") : sql`AND event.causation_id < ${before}::uuid`}
              ORDER BY id DESC
              LIMIT ${limit}`
        )
        return rows.map(({ id }) => id)
      })
    }
  })
)
