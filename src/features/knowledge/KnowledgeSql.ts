/** The SQL store of knowledge entries. Each method is one statement, which also checks the authority of the caller. */
import { SqlClient, type Statement } from "@effect/sql"
import { DateTime, Effect, Layer, Option } from "effect"
import { byUpdate, pageOfSorted } from "../../doors/PageOrder.ts"
import { pageSql } from "../../doors/PageSql.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import { authorizedRead } from "../../doors/Authority.ts"
import { countedMax } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { actorOf, authorizedWrite } from "../events/AppendEvent.ts"
import { archivedStatus, type KnowledgeEntry, KnowledgeKeyTaken } from "./KnowledgeEntry.ts"
import type { KnowledgeRow } from "./KnowledgeRow.ts"
import { boundsAt, type KnowledgeFields, KnowledgeStore, pageOfVersions } from "./KnowledgeStore.ts"
import { knowledgeBounds } from "./KnowledgeTable.ts"
import { type VersionRow, versionOf } from "./KnowledgeVersionRow.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import { textLiteral } from "../../platform/TextLiteral.ts"
import { inParts } from "../../platform/ResultSize.ts"

const fromRow = (row: KnowledgeRow): KnowledgeEntry => ({
  id: row.id,
  key: row.key,
  value: row.value,
  namespace: row.namespace,
  slug: row.slug,
  status: row.status,
  workspaceId: workspaceIdOf(row.space_id, row.user_id),
  author: row.author,
  version: row.version,
  createdAt: DateTime.unsafeFromDate(row.created_at),
  updatedAt: DateTime.unsafeFromDate(row.updated_at)
})

const columnNames = [
  "id",
  "space_id",
  "key",
  "value",
  "namespace",
  "slug",
  "status",
  "user_id",
  "actor_id",
  "author",
  "version",
  "created_at",
  "updated_at"
]
const columnsOf = (alias: string) => columnNames.map((name) => `${alias}.${name}`).join(", ")

/** Converts a value to JSON text. The JSON value null is stored as the text `null`, and not as SQL NULL. */
const jsonText = (value: unknown): string => JSON.stringify(value)

export const layer = Layer.effect(
  KnowledgeStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const entryColumns = sql.literal(columnsOf("entry"))
    const changedColumns = sql.literal(columnsOf("changed"))

    /** The part of a write statement that stores the new version of the entry, with the id of the write's event. */
    const revisionPart = sql`
      kept AS (
        INSERT INTO knowledge_revisions (record_id, space_id, version, actor_id, event_id, at, value, namespace, slug,
          status, author)
        SELECT changed.id, changed.space_id, changed.version, changed.actor_id, logged.id, changed.updated_at,
          changed.value, changed.namespace, changed.slug, changed.status, changed.author
        FROM changed, logged)`

    /**
     * Makes the SQL that sets a column. It sets the new value, or keeps the present value if the change does not
     * contain the column.
     */
    const assigned = (name: keyof KnowledgeFields, value: Statement.Fragment | undefined) =>
      sql`${sql(name)} = ${value ?? sql`entry.${sql(name)}`}`
    const assignments = ({ value, namespace, slug, status, author }: Partial<KnowledgeFields>) => {
      const textOf = (value: string | null | undefined) => (value === undefined ? undefined : sql`${value}::text`)
      return sql.csv([
        assigned("value", value === undefined ? undefined : sql`${jsonText(value)}::jsonb`),
        assigned("namespace", textOf(namespace)),
        assigned("slug", textOf(slug)),
        assigned("status", textOf(status)),
        assigned("author", textOf(author))
      ])
    }

    // The status is part of the SQL text. With a parameter, the planner takes this condition for a rare one, and reads all
    // entries of the space.
    const live = sql.literal(`entry.status <> ${textLiteral(archivedStatus)}`)

    return {
      list: Effect.fnUntraced(function* ({ spaceId, namespace, status, ...place }) {
        const reach = yield* Reach
        const { behind, ordered } = pageSql(sql, byUpdate, { time: "entry.updated_at", id: "entry.id" }, place)
        const rows = yield* authorizedRead<KnowledgeRow>(
          sql,
          reach,
          boundsAt(reach, "read", spaceId),
          ({ within }) => sql`
              SELECT ${entryColumns}
              FROM knowledge_entries entry
              WHERE entry.space_id = ${spaceId}::uuid
                AND ${within("entry")}
                AND ${status === undefined ? live : sql`entry.status = ${status}`}
                ${namespace === undefined ? sql.literal("") : sql`AND entry.namespace = ${namespace}`}
                ${behind}
              ${ordered}`
        )
        return pageOfSorted(byUpdate, rows.map(fromRow), place)
      }),

      latest: Effect.fnUntraced(function* (limit) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<KnowledgeRow>(
          sql,
          reach,
          knowledgeBounds(reach, "read"),
          ({ within }) => sql`
              SELECT ${entryColumns}
              FROM unnest(authority.spaces) AS held(space_id)
              CROSS JOIN LATERAL (
                SELECT entry.*
                FROM knowledge_entries entry
                WHERE entry.space_id = held.space_id
                  AND ${within("entry", "held.space_id")}
                  AND ${live}
                ORDER BY entry.updated_at DESC, entry.id DESC
                LIMIT ${limit}) entry
              ORDER BY entry.updated_at DESC, entry.id DESC
              LIMIT ${limit}`
        )
        return rows.map(fromRow)
      }),

      countBySpace: Effect.gen(function* () {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{ readonly id: string; readonly count: number }>(
          sql,
          reach,
          knowledgeBounds(reach, "read"),
          ({ within }) => sql`
              SELECT held.space_id AS id, counted.count
              FROM unnest(authority.spaces) AS held(space_id)
              CROSS JOIN LATERAL (
                SELECT count(*)::integer AS count
                FROM (
                  SELECT 1
                  FROM knowledge_entries entry
                  WHERE entry.space_id = held.space_id
                    AND ${within("entry", "held.space_id")}
                    AND ${live}
                  -- This order makes the planner use the index. Otherwise it reads the whole table for a space with few entries.
                  ORDER BY entry.updated_at DESC, entry.id DESC
                  LIMIT ${countedMax}) one) counted
              WHERE counted.count > 0
              ORDER BY held.space_id`
        )
        return rows.map(({ count, id }) => ({ spaceId: id, count }))
      }),

      locate: Effect.fnUntraced(function* (id, action) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<KnowledgeRow>(
          sql,
          reach,
          knowledgeBounds(reach, action),
          ({ within }) => sql`
              SELECT ${entryColumns}
              FROM knowledge_entries entry
              WHERE entry.id = ${id}::uuid AND ${within("entry")}`
        )
        if (row === undefined) return Option.none()
        return Option.some({
          spaceId: row.space_id,
          entry: fromRow(row),
          isByPerson: row.actor_id === row.user_id,
          userId: row.user_id
        })
      }),

      listByIds: inParts(
        Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
          const reach = yield* Reach
          const rows = yield* authorizedRead<KnowledgeRow>(
            sql,
            reach,
            knowledgeBounds(reach, "read"),
            ({ within }) => sql`
              SELECT ${entryColumns}
              FROM knowledge_entries entry
              WHERE entry.id = ANY (${arrayLiteral(ids)}::uuid[]) AND ${within("entry")}`
          )
          return rows.map(fromRow)
        })
      ),

      find: Effect.fnUntraced(function* ({ spaceId, key }, action) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<KnowledgeRow>(
          sql,
          reach,
          boundsAt(reach, action, spaceId),
          ({ within }) => sql`
              SELECT ${entryColumns}
              FROM knowledge_entries entry
              WHERE entry.space_id = ${spaceId}::uuid
                AND entry.key = ${key}
                AND ${within("entry")}`
        )
        return row === undefined ? Option.none() : Option.some(fromRow(row))
      }),

      add: Effect.fnUntraced(function* ({ id, spaceId, key, value, namespace, slug, status, author }, event, passed) {
        const reach = yield* Reach
        const bounds = boundsAt(reach, "create", spaceId)
        const [row] = yield* authorizedWrite<KnowledgeRow>(sql, reach, { bounds, passed, event }, () => ({
          changed: sql`
              INSERT INTO knowledge_entries (space_id, key, id, value, namespace, slug, status, user_id, actor_id, author)
              SELECT ${spaceId}::uuid, ${key}, ${id}::uuid, ${jsonText(value)}::jsonb, ${namespace}::text,
                ${slug}::text, ${status}, ${reach.principal.personId}::uuid, ${actorOf(reach)}::uuid, ${author}::text
              FROM authority
              WHERE ${spaceId}::uuid = ANY (authority.spaces::uuid[])
              ON CONFLICT (space_id, key) DO NOTHING
              RETURNING *`,
          columns: changedColumns,
          after: [revisionPart]
        }))
        return row === undefined ? yield* new KnowledgeKeyTaken({ key }) : fromRow(row)
      }),

      change: Effect.fnUntraced(function* ({ spaceId, key }, { action, from, fields, version = null }, event, passed) {
        const reach = yield* Reach
        const expected =
          from === "any"
            ? sql.literal("")
            : from === "archived"
              ? sql`AND entry.status = ${archivedStatus}`
              : sql`AND ${live}`
        const bounds = boundsAt(reach, action, spaceId)
        const [row] = yield* authorizedWrite<KnowledgeRow>(sql, reach, { bounds, passed, event }, ({ within }) => ({
          changed: sql`
              UPDATE knowledge_entries entry
              SET ${assignments(fields)}, version = entry.version + 1, updated_at = now(),
                user_id = ${reach.principal.personId}::uuid, actor_id = ${actorOf(reach)}::uuid
              FROM authority
              WHERE entry.space_id = ${spaceId}::uuid
                AND entry.key = ${key}
                AND ${within("entry")}
                AND (${version}::integer IS NULL OR entry.version = ${version}::integer)
                ${expected}
              RETURNING entry.*`,
          columns: changedColumns,
          after: [revisionPart]
        }))
        return row === undefined ? Option.none() : Option.some(fromRow(row))
      }),

      versions: Effect.fnUntraced(function* ({ spaceId, key }, { cursor, limit, offset = 0 }) {
        const reach = yield* Reach
        const past =
          cursor === undefined
            ? sql.literal("")
            : sql`AND revision.version < (
                  SELECT seen.version
                  FROM knowledge_revisions seen
                  WHERE seen.record_id = entry.id AND seen.space_id = entry.space_id
                    AND seen.event_id = ${cursor.id}::uuid)`
        const rows = yield* authorizedRead<VersionRow>(
          sql,
          reach,
          boundsAt(reach, "read", spaceId),
          ({ within }) => sql`
              SELECT entry.id, revision.*
              FROM knowledge_entries entry
              CROSS JOIN LATERAL (
                SELECT revision.event_id, revision.version, revision.actor_id, revision.at, revision.value,
                  revision.namespace, revision.slug, revision.status, revision.author
                FROM knowledge_revisions revision
                WHERE revision.record_id = entry.id AND revision.space_id = entry.space_id
                  ${past}
                ORDER BY revision.version DESC
                LIMIT ${limit + 1} OFFSET ${offset}) revision
              WHERE entry.space_id = ${spaceId}::uuid
                AND entry.key = ${key}
                AND ${within("entry")}
              ORDER BY revision.version DESC`
        )
        return pageOfVersions(rows.map(versionOf), limit)
      })
    }
  })
)
