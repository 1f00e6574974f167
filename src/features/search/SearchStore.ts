/**
 * The store that reads two kinds of text: the texts in the answer of a search, and the texts for the search indexes.
 * The database has no separate copy of these texts for search. The pod finds in the event log which objects have
 * changed, and then reads the rows of these objects.
 */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { Facet } from "../facets/Facet.ts"
import { eventTable, headTable, memoryStatements } from "../events/EventTable.ts"
import { recordTable } from "../records/RecordTable.ts"
import { settingsWith, type WorkspaceSettings } from "../workspaces/WorkspaceSettings.ts"
import { workspaceTable } from "../workspaces/WorkspaceTable.ts"
import type { Source } from "./Source.ts"
import type { Language } from "./text/Language.ts"
import type { SearchedType } from "./postings/IndexedObject.ts"
import { sourcesWithin } from "./SearchSources.ts"
import { type Filing, searchedSpaces, searchedTypes } from "./SearchBounds.ts"

/** The number of the last event of a space, and the language in which the texts of the space are indexed. */
export interface Head {
  readonly spaceId: string
  /** The number of the last event of the space. */
  readonly seq: number
  readonly language: Language
}

/** The part of an event that the index needs: its number, and the ids of the objects that it possibly changed. */
export interface IndexedEvent {
  readonly seq: number
  readonly type: string
  readonly subjectId: string | null
  /** The entity at which a relation begins, such as an entity that was put into a project. Null for other events. */
  readonly sourceEntityId: string | null
}

/** A part of the text of an object. `start` and `length` count characters. */
export interface TextPart {
  readonly id: string
  readonly start: number
  readonly length: number
}

export interface PassageText extends Omit<Source, "text"> {
  readonly start: number
  readonly text: string
}

export class SearchStore extends Context.Tag("pod/SearchStore")<
  SearchStore,
  {
    /**
     * Reads the head of each space in which the call may read objects of the types that a search can find. If `spaces`
     * is not null, reads only the heads of the spaces in this list.
     */
    readonly heads: (spaces: ReadonlyArray<string> | null) => Effect.Effect<ReadonlyArray<Head>, never, Reach>
    /**
     * Reads the ids of the objects that the call may read. If `onlyIds` is not null, the result has only ids from this
     * list. Search needs these ids only if the grant or `filing` names objects or projects.
     */
    readonly readable: (
      type: SearchedType,
      filing: Filing,
      onlyIds: ReadonlyArray<string> | null
    ) => Effect.Effect<ReadonlyArray<string>, never, Reach>
    /** Reads the ids of the documents in a space that belong to these entities. */
    readonly documentsOf: (
      spaceId: string,
      entityIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, never, Reach>
    /** Reads at most `limit` events of a space after the event number `after`, oldest first. */
    readonly eventsAfter: (
      spaceId: string,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<IndexedEvent>, never, Reach>
    /**
     * Reads the current objects with these ids. For the id of a facet, reads the entity that has the facet. Leaves out
     * archived and missing objects, and objects of a type that no search can find.
     */
    readonly sources: (
      spaceId: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Source>, never, Reach>
    /**
     * Reads a page of the objects of a type in a space, sorted by id. The page begins after the id `after`. Null means
     * the first page.
     */
    readonly page: (
      spaceId: string,
      type: SearchedType,
      after: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Source>, never, Reach>
    /** Reads the texts at these places. Leaves out texts that the call may not read. */
    readonly show: (
      type: SearchedType,
      places: ReadonlyArray<TextPart>
    ) => Effect.Effect<ReadonlyArray<PassageText>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => ({
      heads: (spaces) =>
        read(({ reach, rows }) =>
          Effect.succeed(
            searchedSpaces(reach, spaces).flatMap((spaceId) => {
              const head = rows.find(headTable, spaceId)
              const language = languageOf(rows.find(workspaceTable, spaceId)?.settings)
              return head === undefined ? [] : [{ spaceId, seq: head.seq, language }]
            })
          )
        ),
      readable: (type, filing, onlyIds) =>
        read((at) => {
          const ids = sourcesWithin(at, type, filing).map(({ id }) => id)
          return Effect.succeed(onlyIds === null ? ids : ids.filter((id) => onlyIds.includes(id)))
        }),
      documentsOf: (spaceId, entityIds) =>
        read((at) =>
          Effect.succeed(
            sourcesWithin(at, "document").flatMap((source) =>
              source.spaceId === spaceId && source.ownerId !== null && entityIds.includes(source.ownerId)
                ? [source.id]
                : []
            )
          )
        ),
      eventsAfter: (spaceId, after, limit) =>
        read(({ reach, rows }) =>
          Effect.succeed(
            rows
              .all(eventTable)
              .filter((row) => row.spaceId === spaceId && row.event.seq > after)
              .filter(() => reach.bounds("event", "read").spaces.includes(spaceId))
              .map(({ event: { data, seq, subjectId = null, type } }) => {
                const source = type.startsWith("relation.") ? data["sourceEntityId"] : null
                return { seq, type, subjectId, sourceEntityId: typeof source === "string" ? source : null }
              })
              .toSorted((one, other) => one.seq - other.seq)
              .slice(0, limit)
          )
        ),
      sources: (spaceId, ids) =>
        read((at) => {
          const owners = ids.flatMap((id) => at.rows.find(recordTable(Facet), id)?.record.entityId ?? [])
          const searchedIds = new Set([...ids, ...owners])
          return Effect.succeed(
            searchedTypes
              .flatMap((type) => sourcesWithin(at, type))
              .filter((source) => source.spaceId === spaceId && searchedIds.has(source.id))
          )
        }),
      page: (spaceId, type, after, limit) =>
        read((at) =>
          Effect.succeed(
            sourcesWithin(at, type)
              .filter((source) => source.spaceId === spaceId && (after === null || source.id > after))
              .toSorted((one, other) => (one.id < other.id ? -1 : 1))
              .slice(0, limit)
          )
        ),
      show: (type, places) =>
        read((at) => {
          const found = new Map(sourcesWithin(at, type).map((source) => [source.id, source]))
          return Effect.succeed(
            places.flatMap(({ id, length, start }) => {
              const source = found.get(id)
              return source === undefined ? [] : [shownOf(source, start, length)]
            })
          )
        })
    }))
  )
}

/**
 * Returns the language from the settings of a workspace. A person's own space has no settings, so it has the default
 * language.
 */
export const languageOf = (settings: Partial<WorkspaceSettings> | null | undefined): Language =>
  settingsWith(settings ?? {}).searchLanguage

/** Returns an object with only the part of its text that begins at `start` and has `length` characters. */
export const shownOf = ({ text, ...source }: Source, start: number, length: number): PassageText => ({
  ...source,
  start,
  text: [...text].slice(start, start + length).join("")
})
