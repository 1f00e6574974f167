/**
 * The parts that all statements on edges share: the condition for edges that the call may touch, and the query for the
 * edges of one space. `RelationSql.ts` has the statements.
 */
import type { SqlClient, Statement } from "@effect/sql"
import { edgesOfPerson, type Within } from "../../doors/Authority.ts"
import type { Cursor } from "../../doors/Cursor.ts"
import type { ReachShape } from "../../doors/Reach.ts"
import { membershipType } from "../projects/Project.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import { textLiteral } from "../../platform/TextLiteral.ts"

interface EdgeFilters {
  readonly id?: string
  readonly entityId?: string | undefined
  readonly type?: string | undefined
  readonly cursor?: Cursor | undefined
  readonly limit: number
}

type Sql = SqlClient.SqlClient
type End = "source" | "target"

/**
 * Makes the SQL predicate that is true if the call may read the entity with this id and space. `id` and `space` are
 * SQL: columns of an edge, or values for a new edge.
 */
const readableEnd =
  (sql: Sql) =>
  (id: Statement.Fragment, space: Statement.Fragment, within: Within): Statement.Fragment =>
    sql`EXISTS (
    SELECT 1 FROM entities entity
    WHERE entity.id = ${id}
      AND entity.space_id = ${space}
      AND ${within("entity")}
      AND entity.archived_at IS NULL)`

/**
 * Makes the SQL predicates for edges. `within` is the predicate for the entities at the ends of an edge (see
 * `edgeBounds`). The edge must be in one of the spaces in `authority.spaces`. The entities must be in the same space as
 * the edge.
 */
export const edgesOf = (sql: Sql) => {
  const isReadable = readableEnd(sql)
  return {
    isReadable,
    /**
     * Makes the predicate that is true if the call may read the edge and the entities at its two ends. An edge in a
     * person's own space must also belong to the caller's person.
     */
    within: (within: Within, { principal }: ReachShape, spaceColumn = "relation.space_id") => {
      const space = sql.literal("relation.space_id")
      return sql`${sql.literal(spaceColumn)} = ANY (authority.spaces)
        AND ${edgesOfPerson(sql, principal.personId)}
        AND ${isReadable(sql.literal("relation.source_entity_id"), space, within)}
        AND ${isReadable(sql.literal("relation.target_entity_id"), space, within)}`
    }
  }
}

/**
 * Makes the SQL that reads the edges of the space `within.space_id`, newest first. It reads relations, and edges from
 * an entity to the project in which the entity is filed. It reads an edge to a project only if the call may also read
 * the project.
 */
export const edgesOfSpace = (
  sql: Sql,
  within: Within,
  reach: ReachShape,
  { cursor, entityId, id, limit, type }: EdgeFilters
): Statement.Fragment => {
  // The query for the target end leaves out an edge from an entity to itself. Otherwise the list would contain this
  // edge twice.
  const endIs = (at: string, end: End, source: Statement.Fragment, target: Statement.Fragment) =>
    end === "source" ? sql`AND ${source} = ${at}::uuid` : sql`AND ${target} = ${at}::uuid AND ${source} <> ${at}::uuid`
  const where = (
    end: End | undefined,
    columns: { readonly id: string; readonly source: string; readonly target: string }
  ) => {
    const [idColumn, source, target] = [columns.id, columns.source, columns.target].map((name) => sql.literal(name))
    const parts = [
      ...(id === undefined ? [] : [sql`AND ${idColumn} = ${id}::uuid`]),
      ...(entityId === undefined || end === undefined ? [] : [endIs(entityId, end, source, target)]),
      ...(cursor === undefined ? [] : [sql`AND ${idColumn} < ${cursor.id}::uuid`])
    ]
    return parts.reduce((all, part) => sql`${all} ${part}`, sql.literal(""))
  }
  const drawn = (end: End | undefined) => sql`(
    SELECT relation.id, relation.space_id, relation.user_id, relation.source_entity_id, relation.target_entity_id,
      relation.type, relation.metadata, relation.version, relation.created_at, relation.updated_at
    FROM relations relation
    WHERE relation.space_id = within.space_id
      AND ${edgesOf(sql).within(within, reach, "within.space_id")}
      AND relation.archived_at IS NULL
      ${where(end, { id: "relation.id", source: "relation.source_entity_id", target: "relation.target_entity_id" })}
      ${type === undefined ? sql.literal("") : sql`AND relation.type = ${type}`}
    ORDER BY relation.id DESC
    LIMIT ${limit})`
  const projects = reach.bounds("project", "read")
  const named =
    projects.objects === null ? sql.literal("") : sql`AND project.id = ANY (${arrayLiteral(projects.objects)}::uuid[])`
  const filed = (end: End | undefined) => sql`(
    SELECT filed.id, filed.space_id, coalesce(filed.user_id, entity.user_id) AS user_id,
      filed.entity_id AS source_entity_id, filed.project_id AS target_entity_id, ${sql.literal(`${textLiteral(membershipType)}::text`)} AS type,
      '{}'::jsonb AS metadata, 1 AS version, filed.created_at, filed.created_at AS updated_at
    FROM entity_projects filed
    JOIN entities entity ON entity.id = filed.entity_id AND entity.space_id = filed.space_id
    JOIN projects project ON project.id = filed.project_id
    WHERE filed.space_id = within.space_id
      AND ${within("entity", "within.space_id")}
      AND entity.archived_at IS NULL
      AND project.space_id = ANY (${arrayLiteral(projects.spaces)}::uuid[])
      AND project.archived_at IS NULL
      ${named}
      ${where(end, { id: "filed.id", source: "filed.entity_id", target: "filed.project_id" })}
    ORDER BY filed.id DESC
    LIMIT ${limit})`
  // One query reads the edges whose source is the entity, and one query reads the edges whose target is the entity.
  // Each query stops at the limit. A single query with OR would read and sort all edges of the entity, and an entity
  // can have many edges.
  const ends: ReadonlyArray<End | undefined> = entityId === undefined ? [undefined] : ["source", "target"]
  const kinds = type === undefined ? [drawn, filed] : type === membershipType ? [filed] : [drawn]
  const both = kinds.flatMap((kind) => ends.map(kind)).reduce((all, walk) => sql`${all} UNION ALL ${walk}`)
  return sql`
    SELECT edge.*
    FROM (${both}) edge
    ORDER BY edge.id DESC
    LIMIT ${limit}`
}
