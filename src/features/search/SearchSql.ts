/**
 * The SQL store that reads two kinds of text: the texts in the answer of a search, and the texts for the search
 * indexes.
 */
import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { type Bounds, emptyBounds, inSpaces, Reach, type ReachShape } from "../../doors/Reach.ts"
import { lowestId } from "../../platform/Ids.ts"
import { inParts } from "../../platform/ResultSize.ts"
import { archivedStatus } from "../knowledge/KnowledgeEntry.ts"
import type { WorkspaceSettings } from "../workspaces/WorkspaceSettings.ts"
import type { SearchedType } from "./postings/IndexedObject.ts"
import { languageOf, SearchStore, shownOf, type TextPart } from "./SearchStore.ts"
import { boundsFor, searchedSpaces, searchedTypes } from "./SearchBounds.ts"
import { type Source, textOfEntity, textOfEntry } from "./Source.ts"

/**
 * One row with the columns of an entity, a document or a knowledge entry. A column that the type does not have is null.
 */
interface SourceRow {
  readonly id: string
  readonly space_id: string
  readonly type: SearchedType
  readonly kind: string | null
  readonly title: string
  readonly slug: string | null
  readonly description: string | null
  readonly preview: string | null
  /** The properties of an entity, or the value of a knowledge entry. */
  readonly value: unknown
  readonly content: string | null
  readonly owner_id: string | null
  readonly maker_id: string
  readonly user_id: string
  readonly facets: ReadonlyArray<string> | null
  readonly updated_at: Date
}

const textOf = (row: SourceRow): string => {
  switch (row.type) {
    case "entity":
      return textOfEntity({ description: row.description, preview: row.preview, properties: row.value })
    case "document":
      return row.content ?? ""
    case "knowledge":
      return textOfEntry({ key: row.title, slug: row.slug, value: row.value })
  }
}

const fromRow = (row: SourceRow): Source => ({
  id: row.id,
  spaceId: row.space_id,
  type: row.type,
  kind: row.kind,
  title: row.title,
  text: textOf(row),
  facets: row.facets ?? [],
  ownerId: row.owner_id,
  makerId: row.maker_id,
  writerId: row.user_id,
  updatedAt: row.updated_at.getTime()
})

export const layer = Layer.effect(
  SearchStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /**
     * Reads the rows of one type that match `where` and that the call is allowed to read. `content` is the SQL
     * expression for the text of a document. `around` puts the SELECT of the rows into a larger SELECT.
     */
    const read = <Row extends { readonly id: string } = SourceRow>(
      reach: ReachShape,
      type: SearchedType,
      bounds: Bounds,
      {
        around = (rows) => rows,
        content = sql.literal("record.content"),
        where
      }: {
        readonly where: (id: Statement.Fragment, space: Statement.Fragment) => Statement.Fragment
        readonly content?: Statement.Fragment
        readonly around?: (rows: Statement.Fragment) => Statement.Fragment
      }
    ) =>
      authorizedRead<Row>(sql, reach, bounds, ({ within }) => {
        switch (type) {
          case "entity":
            return around(sql`
              SELECT entity.id, entity.space_id, 'entity' AS type, entity.profile_slug AS kind, entity.title,
                NULL::text AS slug, entity.description, entity.preview, entity.properties AS value, NULL::text AS content,
                NULL::uuid AS owner_id, entity.user_id, entity.actor_id AS maker_id, entity.updated_at,
                ARRAY(
                  SELECT facet.slug FROM entity_facets facet
                  WHERE facet.entity_id = entity.id AND facet.space_id = entity.space_id AND facet.archived_at IS NULL
                  ORDER BY facet.slug COLLATE "C") AS facets
              FROM entities entity
              WHERE ${within("entity")} AND entity.archived_at IS NULL
                AND ${where(sql.literal("entity.id"), sql.literal("entity.space_id"))}`)
          case "document":
            return around(sql`
              SELECT record.id, record.space_id, 'document' AS type, NULL::text AS kind, record.title,
                NULL::text AS slug, NULL::text AS description, NULL::text AS preview, NULL::jsonb AS value,
                ${content} AS content, record.entity_id AS owner_id, record.user_id, record.actor_id AS maker_id, record.updated_at,
                NULL::text[] AS facets
              FROM documents record
              WHERE ${within("record")} AND record.archived_at IS NULL
                AND ${where(sql.literal("record.id"), sql.literal("record.space_id"))}`)
          case "knowledge":
            // The row of a knowledge entry names only the last writer of the entry. So the statement reads the creator
            // from the first version of the entry.
            return around(sql`
              SELECT entry.id, entry.space_id, 'knowledge' AS type, NULL::text AS kind, entry.key AS title,
                entry.slug, NULL::text AS description, NULL::text AS preview, entry.value,
                NULL::text AS content, NULL::uuid AS owner_id, entry.user_id,
                coalesce((
                  SELECT first.actor_id FROM knowledge_revisions first
                  WHERE first.record_id = entry.id AND first.space_id = entry.space_id AND first.version = 1),
                  entry.actor_id) AS maker_id,
                entry.updated_at, NULL::text[] AS facets
              FROM knowledge_entries entry
              WHERE ${within("entry")} AND entry.status <> ${archivedStatus}
                AND ${where(sql.literal("entry.id"), sql.literal("entry.space_id"))}`)
        }
      })

    /** Makes the SQL condition for the rows of a type that are in one of these projects. */
    const filedIn = (type: SearchedType, projects: ReadonlyArray<string>): Statement.Fragment => {
      const list = `{${projects.join(",")}}`
      const filed = (id: string) => sql`EXISTS (
        SELECT 1 FROM entity_projects filed
        WHERE filed.entity_id = ${sql.literal(id)} AND filed.project_id = ANY (${list}::uuid[]))`
      switch (type) {
        case "entity":
          return filed("entity.id")
        case "document":
          return sql`(record.project_id = ANY (${list}::uuid[]) OR ${filed("record.entity_id")})`
        case "knowledge":
          return sql`false`
      }
    }

    const sourcesOf = Effect.fnUntraced(function* (spaceId: string, ids: ReadonlyArray<string>) {
      const reach = yield* Reach
      const list = `{${ids.join(",")}}`
      const rows = yield* Effect.forEach(
        searchedTypes,
        (type) =>
          read(reach, type, inSpaces(boundsFor(reach, type), [spaceId]), {
            where: (id, space) => sql`${space} = ${spaceId}::uuid AND ${id} = ANY (${list}::uuid[] || ARRAY(
                SELECT facet.entity_id FROM entity_facets facet
                WHERE facet.id = ANY (${list}::uuid[]) AND facet.space_id = ${spaceId}::uuid))`
          }),
        { concurrency: "unbounded" }
      )
      return rows.flat().map(fromRow)
    })

    const shownAt = Effect.fnUntraced(function* (
      type: SearchedType,
      places: Parameters<(typeof SearchStore.Service)["show"]>[1]
    ) {
      const reach = yield* Reach
      const ids = `{${places.map(({ id }) => id).join(",")}}`
      const starts = `{${places.map(({ start }) => start).join(",")}}`
      const lengths = `{${places.map(({ length }) => length).join(",")}}`
      const rows = yield* read<SourceRow & TextPart>(reach, type, boundsFor(reach, type), {
        // Returns only the wanted part of the text of a document. The texts of other records are short.
        content: sql.literal("substr(record.content, place.start + 1, place.length)"),
        where: (id) => sql`${id} = place.id`,
        around: (found) => sql`
            SELECT shown.*, place.start, place.length
            FROM unnest(${ids}::uuid[], ${starts}::integer[], ${lengths}::integer[]) AS place(id, start, length)
            CROSS JOIN LATERAL (${found}) shown`
      })
      return rows.map((row) => {
        const source = fromRow(row)
        if (type !== "document") return shownOf(source, row.start, row.length)
        const { text, ...head } = source
        return { ...head, start: row.start, text }
      })
    })

    return {
      heads: Effect.fnUntraced(function* (spaces) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{
          readonly id: string
          readonly seq: string
          readonly settings: Partial<WorkspaceSettings> | null
        }>(
          sql,
          reach,
          { ...emptyBounds, spaces: searchedSpaces(reach, spaces) },
          () => sql`
              SELECT head.space_id AS id, head.seq::text AS seq, space.settings
              FROM stream_heads head LEFT JOIN spaces space ON space.id = head.space_id
              WHERE head.space_id = ANY (authority.spaces)`
        )
        return rows.map(({ id, seq, settings }) => ({
          spaceId: id,
          seq: Number(seq),
          language: languageOf(settings)
        }))
      }),

      readable: Effect.fnUntraced(function* (type, filing, onlyIds) {
        const reach = yield* Reach
        const rows = yield* read<{ readonly id: string }>(reach, type, boundsFor(reach, type), {
          content: sql.literal("NULL::text"),
          where: (id) => sql`${onlyIds === null ? sql`true` : sql`${id} = ANY (${`{${onlyIds.join(",")}}`}::uuid[])`}
              AND ${filing.in === null ? sql`true` : filedIn(type, filing.in)}
              AND ${filing.notIn.length === 0 ? sql`true` : sql`(${filedIn(type, filing.notIn)}) IS NOT TRUE`}`,
          around: (found) => sql`SELECT readable.id FROM (${found}) readable`
        })
        return rows.map(({ id }) => id)
      }),

      documentsOf: Effect.fnUntraced(function* (spaceId, entityIds) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{ readonly id: string }>(
          sql,
          reach,
          inSpaces(boundsFor(reach, "document"), [spaceId]),
          ({ within }) => sql`
              SELECT record.id FROM documents record
              WHERE ${within("record")} AND record.space_id = ${spaceId}::uuid
                AND record.entity_id = ANY (${`{${entityIds.join(",")}}`}::uuid[])`
        )
        return rows.map(({ id }) => id)
      }),

      eventsAfter: Effect.fnUntraced(function* (spaceId, after, limit) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{
          readonly id: string
          readonly seq: string
          readonly type: string
          readonly subject_id: string | null
          readonly source_entity_id: string | null
        }>(
          sql,
          reach,
          inSpaces(reach.bounds("event", "read"), [spaceId]),
          ({ within }) => sql`
              SELECT event.id, event.seq::text AS seq, event.type, event.subject_id,
                CASE WHEN event.type LIKE 'relation.%' THEN event.data ->> 'sourceEntityId' END AS source_entity_id
              FROM events event
              WHERE ${within("event")} AND event.space_id = ${spaceId}::uuid AND event.seq > ${after}::bigint
              ORDER BY event.seq
              LIMIT ${limit}`
        )
        return rows.map(({ seq, source_entity_id, subject_id, type }) => ({
          seq: Number(seq),
          type,
          subjectId: subject_id,
          sourceEntityId: source_entity_id
        }))
      }),

      sources: (spaceId, ids) => inParts((part: ReadonlyArray<string>) => sourcesOf(spaceId, part))(ids),

      page: Effect.fnUntraced(function* (spaceId, type, after, limit) {
        const reach = yield* Reach
        const rows = yield* read(reach, type, inSpaces(boundsFor(reach, type), [spaceId]), {
          where: (id, space) => sql`${space} = ${spaceId}::uuid AND ${id} > ${after ?? lowestId}::uuid`,
          around: (found) => sql`${found} ORDER BY 1 LIMIT ${limit}`
        })
        return rows.map(fromRow)
      }),

      show: (type, places) => inParts((part: typeof places) => shownAt(type, part))(places)
    }
  })
)
