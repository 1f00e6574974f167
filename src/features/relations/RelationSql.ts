/**
 * The SQL store of edges. Each method is one statement. The statement also checks that the call can access the entities
 * at both ends.
 */
import { SqlClient, type Statement } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { byId, pageOfSorted } from "../../doors/PageOrder.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import { authorizedRead, type Within } from "../../doors/Authority.ts"
import { type Bounds, inSpaces, Reach, type ReachShape } from "../../doors/Reach.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { actorOf, authorizedWrite } from "../events/AppendEvent.ts"
import { edgeBounds } from "../projects/EdgeBounds.ts"
import { Relation, RelationNotFound } from "./Relation.ts"
import { edgesOf, edgesOfSpace } from "./ReachableEdgesSql.ts"
import { RelationStore } from "./RelationStore.ts"

interface Row {
  readonly id: string
  readonly space_id: string
  readonly user_id: string
  readonly source_entity_id: string
  readonly target_entity_id: string
  readonly type: string
  readonly metadata: Record<string, unknown>
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const fromRow = (row: Row): Relation => ({
  id: row.id,
  userId: row.user_id,
  workspaceId: workspaceIdOf(row.space_id, row.user_id),
  version: row.version,
  createdAt: DateTime.unsafeFromDate(row.created_at),
  updatedAt: DateTime.unsafeFromDate(row.updated_at),
  sourceEntityId: row.source_entity_id,
  targetEntityId: row.target_entity_id,
  type: row.type,
  metadata: row.metadata
})

/** How a write archives or restores a relation. It changes only a relation that meets the condition. */
interface Archiving {
  /** The action that the caller must be allowed to do. */
  readonly action: "create" | "delete"
  readonly archivedAt: Statement.Fragment
  readonly condition: Statement.Fragment
}

interface ConnectionRow {
  readonly id: string
  readonly space_id: string
  readonly type: string
  readonly direction: "outgoing" | "incoming"
  readonly entity_id: string
  readonly title: string
  readonly profile_slug: string
  readonly preview: string | null
  readonly user_id: string
  readonly updated_at: Date
  readonly counts: Record<string, number>
}

export const layer = Layer.effect(
  RelationStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const edges = edgesOf(sql)

    /** Reads one edge that meets the condition and that the call can access. */
    const one = (reach: ReachShape, bounds: Bounds, condition: Statement.Fragment) =>
      Effect.map(
        authorizedRead<Row>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
            SELECT relation.*
            FROM relations relation
            WHERE ${edges.within(within, reach)}
              AND relation.archived_at IS NULL
              AND ${condition}
            ORDER BY relation.id
            LIMIT 1`
        ),
        ([row]) => row
      )

    /**
     * Archives or restores a relation. Fails with RelationNotFound if the caller cannot access the relation, or if the
     * relation does not meet `condition`.
     */
    const setArchived = Effect.fnUntraced(function* (
      id: string,
      { action, archivedAt, condition }: Archiving,
      event: EventDraft,
      passed: Passed
    ) {
      const reach = yield* Reach
      const [row] = yield* authorizedWrite<Row>(
        sql,
        reach,
        { bounds: edgeBounds(reach, action), passed, event },
        ({ within }) => ({
          changed: sql`
            UPDATE relations relation
            SET archived_at = ${archivedAt}, updated_at = now(), version = relation.version + 1
            FROM authority
            WHERE relation.id = ${id}::uuid
              AND ${edges.within(within, reach)}
              AND ${condition}
            RETURNING relation.*`
        })
      )
      return row === undefined ? yield* new RelationNotFound({ id }) : fromRow(row)
    })

    return {
      list: Effect.fnUntraced(function* ({ cursor, limit, offset, spaces, ...filter }) {
        const reach = yield* Reach
        const readable = edgeBounds(reach, "read")
        const bounds = spaces === null ? readable : inSpaces(readable, spaces)
        const rows = yield* authorizedRead<Row>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
              SELECT edge.*
              FROM unnest(authority.spaces) AS within(space_id)
              CROSS JOIN LATERAL (${edgesOfSpace(sql, within, reach, { ...filter, cursor, limit: limit + offset + 1 })}) edge
              ORDER BY edge.id DESC
              LIMIT ${limit + 1} OFFSET ${offset}`
        )
        return pageOfSorted(byId, rows.map(fromRow), { limit })
      }),

      get: Effect.fnUntraced(function* (id) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<Row>(
          sql,
          reach,
          edgeBounds(reach, "read"),
          ({ within }) => sql`
              SELECT edge.*
              FROM unnest(authority.spaces) AS within(space_id)
              CROSS JOIN LATERAL (${edgesOfSpace(sql, within, reach, { id, limit: 1 })}) edge
              ORDER BY edge.id
              LIMIT 1`
        )
        return row === undefined ? yield* new RelationNotFound({ id }) : fromRow(row)
      }),

      locate: Effect.fnUntraced(function* (id) {
        const reach = yield* Reach
        const isRelation = sql`relation.id = ${id}::uuid`
        const row =
          (yield* one(reach, edgeBounds(reach, "delete"), isRelation)) ??
          (yield* one(reach, edgeBounds(reach, "read"), isRelation))
        if (row === undefined) return yield* new RelationNotFound({ id })
        return { relation: fromRow(row), spaceId: row.space_id }
      }),

      find: Effect.fnUntraced(function* ({ sourceEntityId, targetEntityId, type }) {
        const reach = yield* Reach
        const row = yield* one(
          reach,
          edgeBounds(reach, "read"),
          sql`relation.source_entity_id = ${sourceEntityId}::uuid
              AND relation.target_entity_id = ${targetEntityId}::uuid
              AND relation.type = ${type}`
        )
        return row === undefined ? null : fromRow(row)
      }),

      add: Effect.fnUntraced(function* (relation, event, passed) {
        const reach = yield* Reach
        const space = sql`${relation.spaceId}::uuid`
        const [row] = yield* authorizedWrite<Row>(
          sql,
          reach,
          { bounds: edgeBounds(reach, "create"), passed, event },
          ({ within }) => ({
            changed: sql`
              INSERT INTO relations (id, space_id, user_id, actor_id, source_entity_id, target_entity_id, type, metadata)
              SELECT ${relation.id}::uuid, ${space}, ${reach.principal.personId}::uuid, ${actorOf(reach)}::uuid,
                ${relation.sourceEntityId}::uuid, ${relation.targetEntityId}::uuid, ${relation.type},
                ${JSON.stringify(relation.metadata)}::jsonb
              FROM authority
              WHERE ${space} = ANY (authority.spaces)
                AND ${edges.isReadable(sql`${relation.sourceEntityId}::uuid`, space, within)}
                AND ${edges.isReadable(sql`${relation.targetEntityId}::uuid`, space, within)}
              ON CONFLICT (space_id, source_entity_id, target_entity_id, type) WHERE archived_at IS NULL DO NOTHING
              RETURNING *`
          })
        )
        return row === undefined ? null : fromRow(row)
      }),

      remove: (id, expectedVersion, event, passed) =>
        setArchived(
          id,
          {
            action: "delete",
            archivedAt: sql`now()`,
            condition: sql`relation.archived_at IS NULL
              AND (${expectedVersion}::integer IS NULL OR relation.version = ${expectedVersion}::integer)`
          },
          event,
          passed
        ),

      restore: (id, event, passed) =>
        setArchived(
          id,
          {
            action: "create",
            archivedAt: sql`NULL`,
            condition: sql`relation.archived_at IS NOT NULL
              AND NOT EXISTS (
                SELECT 1 FROM relations again
                WHERE again.space_id = relation.space_id
                  AND again.source_entity_id = relation.source_entity_id
                  AND again.target_entity_id = relation.target_entity_id
                  AND again.type = relation.type
                  AND again.archived_at IS NULL)`
          },
          event,
          passed
        ),

      connections: Effect.fnUntraced(function* (entityId, limit, countMax) {
        const reach = yield* Reach
        // There is one index for the source end and one for the target end, so there are two queries. The first query
        // reads the edges that begin at the entity, up to the limit. The second query reads the edges that end at the
        // entity. Only the first query returns an edge from the entity to itself.
        const from = (here: "source" | "target", there: "source" | "target", within: Within) => sql`(
            SELECT one.*
            FROM authority, unnest(authority.spaces) AS within(space_id)
            CROSS JOIN LATERAL (
              SELECT relation.id, relation.space_id, relation.type,
                ${sql.literal(here === "source" ? "'outgoing'::text" : "'incoming'::text")} AS direction,
                ${sql.literal(`relation.${there}_entity_id`)} AS entity_id
              FROM relations relation
              WHERE relation.space_id = within.space_id
                AND ${sql.literal(`relation.${here}_entity_id`)} = ${entityId}::uuid
                ${here === "source" ? sql.literal("") : sql`AND relation.source_entity_id <> ${entityId}::uuid`}
                AND ${edges.within(within, reach, "within.space_id")}
                AND relation.archived_at IS NULL
              ORDER BY relation.id DESC
              LIMIT ${countMax}) one)`
        const rows = yield* authorizedRead<ConnectionRow>(
          sql,
          reach,
          edgeBounds(reach, "read"),
          ({ within }) => sql`
              WITH edge AS MATERIALIZED (
                ${from("source", "target", within)} UNION ALL ${from("target", "source", within)}),
              counted AS (
                SELECT jsonb_object_agg(by_type.type, by_type.total) AS counts
                FROM (SELECT edge.type, count(*)::integer AS total FROM edge GROUP BY edge.type) by_type),
              newest AS (SELECT edge.* FROM edge ORDER BY edge.id DESC LIMIT ${limit})
              SELECT page.*, counted.counts
              FROM counted LEFT JOIN LATERAL (
                SELECT newest.*, entity.title, entity.profile_slug, entity.preview, entity.user_id, entity.updated_at
                FROM newest
                JOIN entities entity ON entity.id = newest.entity_id AND entity.space_id = newest.space_id
                WHERE ${within("entity")}
                ORDER BY newest.id DESC) page ON true`
        )
        const byType = rows[0]?.counts ?? {}
        return {
          connections: rows.map((row) => ({
            spaceId: row.space_id,
            relationId: row.id,
            entityId: row.entity_id,
            relationType: row.type,
            direction: row.direction,
            entity: {
              id: row.entity_id,
              title: row.title,
              profileSlug: row.profile_slug,
              preview: row.preview,
              workspaceId: workspaceIdOf(row.space_id, row.user_id),
              updatedAt: DateTime.unsafeFromDate(row.updated_at)
            }
          })),
          counts: { total: Object.values(byType).reduce((sum, count) => sum + count, 0), byType }
        }
      })
    }
  })
)
