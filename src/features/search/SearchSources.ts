/** Makes the objects for the search index from the rows of the in-memory store. */
import { DateTime } from "effect"
import { Document } from "../documents/Document.ts"
import { entitiesWithin, isFiled, type StoredEntity } from "../entities/EntityTable.ts"
import { Facet } from "../facets/Facet.ts"
import { eventTable, type ReadContext } from "../events/EventTable.ts"
import { archivedStatus } from "../knowledge/KnowledgeEntry.ts"
import { entryTable, type LocatedKnowledge } from "../knowledge/KnowledgeTable.ts"
import type { Rows } from "../../platform/MemoryDatabase.ts"
import { recordsWithin, recordTable } from "../records/RecordTable.ts"
import { type Source, textOfEntity, textOfEntry } from "./Source.ts"
import type { SearchedType } from "./postings/IndexedObject.ts"
import { type Filing, anyFiling, boundsFor } from "./SearchBounds.ts"

/** Finds the maker of an object: the person or agent that caused its first event. */
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
  facets: rows
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
  facets: [],
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
  facets: [],
  ownerId: null,
  makerId: makerOf(rows, entry.id, spaceId),
  writerId: userId,
  updatedAt: DateTime.toEpochMillis(entry.updatedAt)
})

/** Selects the objects of one type that the call may read, in the projects that `filing` allows. */
export const sourcesWithin = (
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
        .map((row) => entitySource(rows, row))
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
        .filter(({ entry, spaceId }) => entry.status !== archivedStatus && bounds.spaces.includes(spaceId))
        .filter(() => isKept(() => false))
        .map((located) => entrySource(rows, located))
  }
}
