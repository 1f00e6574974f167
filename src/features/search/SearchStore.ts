/**
 * Reads the texts that search indexes and shows. The database keeps no copy of the texts for search. The event log
 * tells which objects have changed. Search then reads the rows of these objects.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Bounds, Reach, ReachShape } from "../../doors/Reach.ts"
import { Document } from "../documents/Document.ts"
import { entitiesWithin, isFiled, type StoredEntity } from "../entities/EntityTable.ts"
import { Facet } from "../entities/facets/Facet.ts"
import { eventTable, headTable, memoryStatements, type ReadContext } from "../events/EventTable.ts"
import { archived } from "../knowledge/KnowledgeEntry.ts"
import { entryTable, knowledgeBounds, type LocatedKnowledge } from "../knowledge/KnowledgeTable.ts"
import type { Rows } from "../../platform/MemoryDatabase.ts"
import { recordsWithin, recordTable } from "../records/RecordTable.ts"
import { settingsWith, type WorkspaceSettings } from "../workspaces/WorkspaceSettings.ts"
import { workspaceTable } from "../workspaces/WorkspaceTable.ts"
import { type Source, textOfEntity, textOfEntry } from "./Source.ts"
import type { Language } from "./text/Language.ts"
import type { SearchedType } from "./postings/PostingIndex.ts"

/** How far the event log of a space goes, and the language in which its texts are indexed. */
export interface Head {
  readonly spaceId: string
  /** The number of the last event of the space. */
  readonly seq: number
  readonly language: Language
}

/** The part of an event that the index needs: its number, and the objects that it may have changed. */
export interface Moved {
  readonly seq: number
  readonly type: string
  readonly subjectId: string | null
  /** The entity at which a relation begins, such as an entity that was filed in a project. Null for other events. */
  readonly sourceEntityId: string | null
}

/** A part of the text of an object. `start` and `length` count characters. */
export interface Place {
  readonly id: string
  readonly start: number
  readonly length: number
}

export interface Shown extends Omit<Source, "text"> {
  readonly start: number
  readonly text: string
}

/**
 * The projects in which a searched object must be, and the projects in which it must not be. A knowledge entry is in no
 * project.
 */
export interface Filing {
  /** The object must be in one of these projects. Null means that it may be in any project or in none. */
  readonly in: ReadonlyArray<string> | null
  /** The object must be in none of these projects. */
  readonly notIn: ReadonlyArray<string>
}

export const anyFiling: Filing = { in: null, notIn: [] }

export class SearchStore extends Context.Tag("pod/SearchStore")<
  SearchStore,
  {
    /**
     * Reads the heads of the spaces in which the call may read objects that search finds. If `spaces` is not null, it
     * reads only the heads of spaces in this list.
     */
    readonly heads: (spaces: ReadonlyArray<string> | null) => Effect.Effect<ReadonlyArray<Head>, never, Reach>
    /**
     * The ids of the objects that the call may read. If `among` is not null, the result has only ids of this list. The
     * call is needed only if the grant or `filing` names objects or projects.
     */
    readonly readable: (
      type: SearchedType,
      filing: Filing,
      among: ReadonlyArray<string> | null
    ) => Effect.Effect<ReadonlyArray<string>, never, Reach>
    /** The ids of the documents in a space that belong to these entities. */
    readonly documentsOf: (
      spaceId: string,
      entityIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, never, Reach>
    /** At most `most` events of a space after the event number `after`, in their order. */
    readonly moved: (spaceId: string, after: number, most: number) => Effect.Effect<ReadonlyArray<Moved>, never, Reach>
    /**
     * Reads the current objects with these ids. For the id of a role, reads the entity that plays the role. Leaves out
     * an id if its object is archived or missing, or has a type that search does not find.
     */
    readonly sources: (
      spaceId: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Source>, never, Reach>
    /**
     * Reads a page of the objects of a type in a space, ordered by id. The page begins after the id `after`. Null reads
     * the first page.
     */
    readonly page: (
      spaceId: string,
      type: SearchedType,
      after: string | null,
      most: number
    ) => Effect.Effect<ReadonlyArray<Source>, never, Reach>
    /** The texts at these places, as far as the call may read them. */
    readonly show: (
      type: SearchedType,
      places: ReadonlyArray<Place>
    ) => Effect.Effect<ReadonlyArray<Shown>, never, Reach>
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
      readable: (type, filing, among) =>
        read((at) => {
          const ids = sourcesWithin(at, type, filing).map(({ id }) => id)
          return Effect.succeed(among === null ? ids : ids.filter((id) => among.includes(id)))
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
      moved: (spaceId, after, most) =>
        read(({ reach, rows }) =>
          Effect.succeed(
            rows
              .all(eventTable)
              .filter((kept) => kept.spaceId === spaceId && kept.event.seq > after)
              .filter(() => reach.bounds("event", "read").spaces.includes(spaceId))
              .map(({ event: { data, seq, subjectId = null, type } }) => ({
                seq,
                type,
                subjectId,
                sourceEntityId: type.startsWith("relation.") ? ((data["sourceEntityId"] as string) ?? null) : null
              }))
              .toSorted((one, other) => one.seq - other.seq)
              .slice(0, most)
          )
        ),
      sources: (spaceId, ids) =>
        read((at) => {
          const owners = ids.flatMap((id) => at.rows.find(recordTable(Facet), id)?.record.entityId ?? [])
          const asked = new Set([...ids, ...owners])
          return Effect.succeed(
            searchedTypes
              .flatMap((type) => sourcesWithin(at, type))
              .filter((source) => source.spaceId === spaceId && asked.has(source.id))
          )
        }),
      page: (spaceId, type, after, most) =>
        read((at) =>
          Effect.succeed(
            sourcesWithin(at, type)
              .filter((source) => source.spaceId === spaceId && (after === null || source.id > after))
              .toSorted((one, other) => (one.id < other.id ? -1 : 1))
              .slice(0, most)
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

export const searchedTypes: ReadonlyArray<SearchedType> = ["entity", "document", "knowledge"]

/** The bounds of the rows of a type that a call may read. */
export const boundsFor = (reach: ReachShape, type: SearchedType): Bounds =>
  type === "knowledge" ? knowledgeBounds(reach, "read") : reach.bounds(type, "read")

/**
 * Returns the spaces in which a call may read objects that search finds. If `asked` is not null, returns only spaces in
 * this list.
 */
export const searchedSpaces = (reach: ReachShape, asked: ReadonlyArray<string> | null): ReadonlyArray<string> => {
  const reached = new Set(searchedTypes.flatMap((type) => boundsFor(reach, type).spaces))
  return [...reached].filter((spaceId) => asked === null || asked.includes(spaceId))
}

/**
 * Returns the language that the settings of a workspace name. A person's own space has no settings, so it has the
 * default language.
 */
export const languageOf = (settings: Partial<WorkspaceSettings> | null | undefined): Language =>
  settingsWith(settings ?? {}).searchLanguage

/** A source with only the part of its text that begins at `start` and has `length` characters. */
export const shownOf = ({ text, ...source }: Source, start: number, length: number): Shown => ({
  ...source,
  start,
  text: [...text].slice(start, start + length).join("")
})

/** The maker of an object: the person or agent that caused its first event. */
const makerOf = (rows: Rows, id: string, personId: string): string => {
  const events = rows.all(eventTable).filter(({ event }) => event.subjectId === id)
  const [first] = events.toSorted((one, other) => one.event.seq - other.event.seq)
  return first?.event.actorId ?? personId
}

const entitySource = (rows: Rows, { entity, spaceId }: StoredEntity): Source => ({
  id: entity.id,
  spaceId,
  type: "entity",
  kind: entity.profileSlug,
  title: entity.title,
  text: textOfEntity(entity),
  roles: rows
    .all(recordTable(Facet))
    .filter(({ isArchived, record }) => !isArchived && record.entityId === entity.id)
    .map(({ record }) => record.slug)
    .toSorted(),
  ownerId: null,
  makerId: makerOf(rows, entity.id, entity.userId),
  writerId: entity.userId,
  updatedAt: DateTime.toEpochMillis(entity.updatedAt)
})

const documentSource = (rows: Rows, document: Document, spaceId: string): Source => ({
  id: document.id,
  spaceId,
  type: "document",
  kind: null,
  title: document.title,
  text: document.content ?? "",
  roles: [],
  ownerId: document.entityId,
  makerId: makerOf(rows, document.id, document.userId),
  writerId: document.userId,
  updatedAt: DateTime.toEpochMillis(document.updatedAt)
})

const entrySource = (rows: Rows, { entry, spaceId, userId }: LocatedKnowledge): Source => ({
  id: entry.id,
  spaceId,
  type: "knowledge",
  kind: null,
  title: entry.key,
  text: textOfEntry(entry),
  roles: [],
  ownerId: null,
  makerId: makerOf(rows, entry.id, spaceId),
  writerId: userId,
  updatedAt: DateTime.toEpochMillis(entry.updatedAt)
})

/** The sources of one type that the call may read and that are in the projects that `filing` allows. */
const sourcesWithin = (
  { reach, rows }: ReadContext,
  type: SearchedType,
  filing: Filing = anyFiling
): ReadonlyArray<Source> => {
  const bounds = boundsFor(reach, type)
  const isKept = (isIn: (projects: ReadonlyArray<string>) => boolean) =>
    (filing.in === null || isIn(filing.in)) && !isIn(filing.notIn)
  const isEntityIn = (id: string) => (projects: ReadonlyArray<string>) =>
    projects.some((project) => isFiled(rows, id, project))
  switch (type) {
    case "entity":
      return entitiesWithin(rows, bounds)
        .filter(({ entity }) => isKept(isEntityIn(entity.id)))
        .map((kept) => entitySource(rows, kept))
    case "document":
      return recordsWithin(rows, reach, Document, bounds)
        .filter(({ record: { entityId, projectId } }) =>
          isKept(
            (projects) =>
              (projectId !== null && projects.includes(projectId)) ||
              (entityId !== null && isEntityIn(entityId)(projects))
          )
        )
        .map(({ record, spaceId }) => documentSource(rows, record, spaceId))
    case "knowledge":
      return rows
        .all(entryTable)
        .filter(({ entry, spaceId }) => entry.status !== archived && bounds.spaces.includes(spaceId))
        .filter(() => isKept(() => false))
        .map((located) => entrySource(rows, located))
  }
}
