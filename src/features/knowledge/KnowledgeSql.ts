/** Knowledge entries in SQL: each request to the store one statement that carries its own authority. */
import { SqlClient, type Statement } from "@effect/sql"
import { DateTime, Effect, Layer, Option } from "effect"
import { governed, withinReach } from "../../doors/Authority.ts"
import type { Action } from "../../doors/Door.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { actorOf, appended } from "../events/AppendEvent.ts"
import { archived, type KnowledgeEntry, KnowledgeKeyTaken } from "./KnowledgeEntry.ts"
import { boundsAt, knowledgeBounds, type KnowledgeFields, KnowledgeStore } from "./KnowledgeStore.ts"

interface KnowledgeRow {
  readonly id: string
  readonly space_id: string
  readonly key: string
  readonly value: unknown
  readonly namespace: string | null
  readonly slug: string | null
  readonly status: string
  readonly user_id: string
  readonly author: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

const fromRow = (row: KnowledgeRow): KnowledgeEntry => ({
  id: row.id,
  key: row.key,
  value: row.value,
  namespace: row.namespace,
  slug: row.slug,
  status: row.status,
  workspaceId: row.space_id === row.user_id ? null : row.space_id,
  author: row.author,
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
  "author",
  "created_at",
  "updated_at"
]
const columnsOf = (alias: string) => columnNames.map((name) => `${alias}.${name}`).join(", ")

/** What a statement is made of: its prefix, the predicate of an `entry`, and whose call it is. */
interface Parts {
  readonly authority: Statement.Fragment
  readonly within: Statement.Fragment
  readonly reach: ReachShape
}

/** A JSON null is the text `null`, which is no SQL NULL. */
const jsonText = (value: unknown): string => JSON.stringify(value)

export const layer = Layer.effect(
  KnowledgeStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const entryColumns = sql.literal(columnsOf("entry"))
    const changedColumns = sql.literal(columnsOf("changed"))

    /** Every statement of this file goes through here: nothing else bounds the kind. */
    const bounded = (
      action: Action,
      spaceId: string,
      statement: (parts: Parts) => Statement.Statement<KnowledgeRow>
    ): Effect.Effect<ReadonlyArray<KnowledgeEntry>, never, Reach> =>
      Effect.gen(function* () {
        const reach = yield* Reach
        const bounds = boundsAt(reach, action, spaceId)
        const within = withinReach(sql, bounds, "entry")
        const rows = yield* governed(sql, reach, bounds, (authority) => statement({ authority, within, reach }))
        return rows.map(fromRow)
      }).pipe(Effect.catchTag("SqlError", Effect.die))

    /** The new value of a column, or the column itself where the change says nothing of it. */
    const assigned = (name: keyof KnowledgeFields, given: Statement.Fragment | undefined) =>
      sql`${sql(name)} = ${given ?? sql`entry.${sql(name)}`}`
    const assignments = ({ value, namespace, slug, status, author }: Partial<KnowledgeFields>) => {
      const textOf = (given: string | null | undefined) => (given === undefined ? undefined : sql`${given}::text`)
      return sql.csv([
        assigned("value", value === undefined ? undefined : sql`${jsonText(value)}::jsonb`),
        assigned("namespace", textOf(namespace)),
        assigned("slug", textOf(slug)),
        assigned("status", textOf(status)),
        assigned("author", textOf(author))
      ])
    }

    return {
      list: ({ spaceId, namespace, status, limit, offset }) =>
        bounded(
          "read",
          spaceId,
          ({ authority, within }) => sql`
            WITH ${authority}
            SELECT listed.*
            FROM authority LEFT JOIN LATERAL (
              SELECT ${entryColumns}
              FROM knowledge_entries entry
              WHERE entry.space_id = ${spaceId}::uuid
                AND ${within}
                AND ${status === undefined ? sql`entry.status <> ${archived}` : sql`entry.status = ${status}`}
                ${namespace === undefined ? sql.literal("") : sql`AND entry.namespace = ${namespace}`}
              ORDER BY entry.updated_at DESC, entry.id DESC
              LIMIT ${limit} OFFSET ${offset}) listed ON true`
        ),

      locate: (id, action) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = knowledgeBounds(reach, action)
          const [row] = yield* governed<KnowledgeRow>(
            sql,
            reach,
            bounds,
            (authority) => sql`
              WITH ${authority}
              SELECT ${entryColumns}
              FROM authority LEFT JOIN knowledge_entries entry
                ON entry.id = ${id}::uuid AND ${withinReach(sql, bounds, "entry")}`
          )
          return row === undefined ? Option.none() : Option.some({ spaceId: row.space_id, entry: fromRow(row) })
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      find: ({ spaceId, key }, action) =>
        Effect.map(
          bounded(
            action,
            spaceId,
            ({ authority, within }) => sql`
              WITH ${authority}
              SELECT found.*
              FROM authority LEFT JOIN LATERAL (
                SELECT ${entryColumns}
                FROM knowledge_entries entry
                WHERE entry.space_id = ${spaceId}::uuid
                  AND entry.key = ${key}
                  AND ${within}) found ON true`
          ),
          ([found]) => Option.fromNullable(found)
        ),

      add: ({ id, spaceId, key, value, namespace, slug, status, author }, event, passed) =>
        Effect.flatMap(
          bounded(
            "create",
            spaceId,
            ({ authority, reach }) => sql`
              WITH ${authority},
              changed AS (
                INSERT INTO knowledge_entries (space_id, key, id, value, namespace, slug, status, user_id, actor_id,
                  author)
                SELECT ${spaceId}::uuid, ${key}, ${id}::uuid, ${jsonText(value)}::jsonb, ${namespace}::text,
                  ${slug}::text, ${status}, ${reach.principal.personId}::uuid, ${actorOf(reach)}::uuid, ${author}::text
                FROM authority
                WHERE ${spaceId}::uuid = ANY (authority.spaces::uuid[])
                ON CONFLICT (space_id, key) DO NOTHING
                RETURNING *),
              ${appended(sql, reach, passed, event)}
              SELECT ${changedColumns}
              FROM authority LEFT JOIN changed ON true LEFT JOIN logged ON true`
          ),
          ([added]) => (added === undefined ? Effect.fail(new KnowledgeKeyTaken({ key })) : Effect.succeed(added))
        ),

      change: ({ spaceId, key }, { action, from, fields }, event, passed) => {
        const expected =
          from === "any"
            ? sql.literal("")
            : from === "archived"
              ? sql`AND entry.status = ${archived}`
              : sql`AND entry.status <> ${archived}`
        return Effect.map(
          bounded(
            action,
            spaceId,
            ({ authority, within, reach }) => sql`
              WITH ${authority},
              changed AS (
                UPDATE knowledge_entries entry
                SET ${assignments(fields)}, updated_at = now()
                FROM authority
                WHERE entry.space_id = ${spaceId}::uuid
                  AND entry.key = ${key}
                  AND ${within}
                  ${expected}
                RETURNING entry.*),
              ${appended(sql, reach, passed, event)}
              SELECT ${changedColumns}
              FROM authority LEFT JOIN changed ON true LEFT JOIN logged ON true`
          ),
          ([changed]) => Option.fromNullable(changed)
        )
      }
    }
  })
)
