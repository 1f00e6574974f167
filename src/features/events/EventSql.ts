/** The SQL store of the event log. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import { authorizedRead } from "../../doors/Authority.ts"
import { byId, pageOfSorted } from "../../doors/PageOrder.ts"
import { pageSql } from "../../doors/PageSql.ts"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { actorOf, correlationOf, eventOrigin, authorizedWrite } from "./AppendEvent.ts"
import { aboutOf, EventNotFound } from "./Event.ts"
import { listedConditions } from "./EventListingSql.ts"
import { eventColumns, eventOfRow, type EventRow, metadataKindColumn } from "./EventRow.ts"
import { EventLog } from "./EventLog.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import { inParts } from "../../platform/ResultSize.ts"

export const layer = Layer.effect(
  EventLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(eventColumns)
    const readAmong = Effect.fnUntraced(function* (eventIds: ReadonlyArray<string>) {
      const reach = yield* Reach
      const rows = yield* authorizedRead<EventRow>(
        sql,
        reach,
        reach.bounds("event", "read"),
        ({ within }) => sql`
            SELECT ${columns}
            FROM events event
            WHERE ${within("event")}
              AND event.user_id = ${reach.principal.personId}
              AND event.id = ANY (${arrayLiteral(eventIds)}::uuid[])`
      )
      return rows.map(eventOfRow)
    })
    return {
      append: Effect.fnUntraced(function* (spaceId, draft, passed) {
        const reach = yield* Reach
        const [row] = yield* authorizedWrite<Pick<EventRow, "id" | "seq" | "at" | "decision" | "causation_id">>(
          sql,
          reach,
          { bounds: reach.bounds("event", "create"), passed, event: draft },
          () => ({
            changed: sql`
                SELECT space.id AS space_id
                FROM authority, unnest(authority.spaces) AS space(id)
                WHERE space.id = ${spaceId}::uuid`,
            columns: sql.literal("logged.id, logged.seq, logged.at, logged.decision, logged.causation_id"),
            joins: sql.literal("")
          })
        )
        if (row === undefined) return yield* Effect.dieMessage("an event was appended outside the reach of its call")
        const { metadata, source } = eventOrigin(reach, passed, draft)
        return {
          id: row.id,
          version: "v1" as const,
          type: draft.type,
          ...aboutOf(draft.type, draft.subjectId),
          data: draft.data,
          ...(metadata === undefined ? {} : { metadata }),
          userId: reach.principal.personId,
          actorId: actorOf(reach),
          source,
          workspaceId: workspaceIdOf(spaceId, reach.principal.personId),
          seq: Number(row.seq),
          timestamp: DateTime.unsafeFromDate(row.at),
          correlationId: correlationOf(reach),
          ...(row.causation_id === null ? {} : { causationId: row.causation_id }),
          ...(passed.sessionId === null ? {} : { sessionId: passed.sessionId }),
          ...(row.decision === null ? {} : { decision: row.decision })
        }
      }),
      list: Effect.fnUntraced(function* (filter) {
        const reach = yield* Reach
        const { behind, ordered } = pageSql(sql, byId, { id: "event.id" }, filter)
        const further = [
          ...(filter.type === undefined ? [] : [sql`AND event.type = ${filter.type}`]),
          ...(filter.source === undefined ? [] : [sql`AND event.source = ${filter.source}`]),
          ...listedConditions(sql, reach.principal.personId, filter),
          ...(filter.hasMetadata === true ? [sql`AND event.metadata IS NOT NULL`] : []),
          ...(filter.metadataKind === undefined
            ? []
            : [sql`AND ${sql.literal(metadataKindColumn)} = ${filter.metadataKind}`])
        ].reduce((all, condition) => sql`${all} ${condition}`, sql.literal(""))
        const rows = yield* authorizedRead<EventRow>(
          sql,
          reach,
          reach.bounds("event", "read"),
          ({ within }) => sql`
              SELECT ${columns}
              FROM events event
              WHERE ${within("event")}
                AND event.user_id = ${reach.principal.personId}
                ${further} ${behind}
              ${ordered}`
        )
        return pageOfSorted(byId, rows.map(eventOfRow), filter)
      }),
      get: (eventId) =>
        Effect.flatMap(readAmong([eventId]), ([event]) =>
          event === undefined ? new EventNotFound({ eventId }) : Effect.succeed(event)
        ),
      listByIds: inParts(readAmong),
      decided: Effect.fnUntraced(function* (eventId) {
        const reach = yield* Reach
        const spaces = reach.principal.memberships.map(({ spaceId }) => spaceId)
        const bounds = { ...emptyBounds, spaces }
        const [row] = yield* authorizedRead<EventRow & { readonly credential_id: string | null }>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
              SELECT ${columns}, event.credential_id
              FROM events event
              WHERE ${within("event")}
                AND event.user_id = ${reach.principal.personId}
                AND event.decision IS NOT NULL
                AND event.id = ${eventId}::uuid`
        )
        if (row === undefined) return yield* new EventNotFound({ eventId })
        return { event: eventOfRow(row), credentialId: row.credential_id }
      })
    }
  })
)
