/**
 * Follows relations and properties in SQL, with one statement for each level of a traversal. For each entity, the
 * statement reads the index of relations only up to the limit.
 */
import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead, edgesOfPerson } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { edgeBounds } from "../projects/EdgeBounds.ts"
import { GraphStore, type Step } from "./GraphStore.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"

interface Row {
  readonly id: string
  readonly type: string
  readonly direction: Step["direction"]
  readonly from_id: string
  readonly entity_id: string
  readonly title: string
  readonly profile_slug: string
  readonly user_id: string
  readonly space_id: string
}

interface NamingRow extends Pick<Row, "id" | "title" | "profile_slug" | "user_id" | "space_id"> {
  readonly name: string
}

export const layer = Layer.effect(
  GraphStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    findReferencing: Effect.fnUntraced(function* (id, limit) {
      const reach = yield* Reach
      const rows = yield* authorizedRead<NamingRow>(
        sql,
        reach,
        reach.bounds("entity", "read"),
        ({ within }) => sql`
            SELECT entity.id, reference.name, entity.title, entity.profile_slug, entity.user_id, entity.space_id
            FROM entity_references reference
            JOIN entities entity ON entity.id = reference.entity_id AND entity.space_id = reference.space_id
            WHERE reference.target_id = ${id}::uuid AND ${within("entity")} AND entity.archived_at IS NULL
            ORDER BY reference.entity_id DESC, reference.name COLLATE "C"
            LIMIT ${limit}`
      )
      return rows.map((row) => ({
        entityId: row.id,
        property: row.name,
        title: row.title,
        profileSlug: row.profile_slug,
        userId: row.user_id,
        spaceId: row.space_id
      }))
    }),
    steps: Effect.fnUntraced(function* ({ limit, nodes, types }) {
      if (nodes.length === 0) return []
      const reach = yield* Reach
      const { personId } = reach.principal
      const ofType = types === null ? sql.literal("") : sql`AND relation.type = ANY (${arrayLiteral(types)}::text[])`
      const follow = (here: "source" | "target", there: "source" | "target", inReach: Statement.Fragment) => sql`(
          SELECT relation.id, relation.type,
            ${sql.literal(here === "source" ? "'outgoing'::text" : "'incoming'::text")} AS direction,
            entity.id AS entity_id, entity.title, entity.profile_slug, entity.user_id, entity.space_id
          FROM relations relation
          JOIN entities entity
            ON entity.id = ${sql.literal(`relation.${there}_entity_id`)} AND entity.space_id = relation.space_id
          WHERE relation.space_id = node.space_id
            AND ${sql.literal(`relation.${here}_entity_id`)} = node.id
            AND relation.archived_at IS NULL
            AND ${edgesOfPerson(sql, personId)}
            ${ofType}
            AND ${inReach}
            AND entity.archived_at IS NULL
          ORDER BY relation.id DESC
          LIMIT ${limit})`
      const rows = yield* authorizedRead<Row>(
        sql,
        reach,
        edgeBounds(reach, "read"),
        ({ within }) => sql`
            SELECT edge.*, node.id AS from_id
            FROM unnest(${arrayLiteral(nodes.map(({ id }) => id))}::uuid[],
              ${arrayLiteral(nodes.map(({ spaceId }) => spaceId))}::uuid[]) WITH ORDINALITY AS node(id, space_id, place)
            CROSS JOIN LATERAL (
              ${follow("source", "target", within("entity"))}
              UNION ALL
              ${follow("target", "source", within("entity"))}) edge
            ORDER BY node.place, edge.id DESC, edge.direction DESC`
      )
      return rows.map((row) => ({
        relationId: row.id,
        relationType: row.type,
        direction: row.direction,
        fromId: row.from_id,
        entityId: row.entity_id,
        title: row.title,
        profileSlug: row.profile_slug,
        userId: row.user_id,
        spaceId: row.space_id
      }))
    })
  }))
)
