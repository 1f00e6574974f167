/**
 * The in-memory tables of entities and their projects, and the functions that find the rows that a call may read or
 * change.
 */
import type { DateTime } from "effect"
import { countedMax } from "../../doors/Page.ts"
import type { Bounds } from "../../doors/Reach.ts"
import { memoryTable, type Rows } from "../../platform/MemoryDatabase.ts"
import type { Entity } from "./Entity.ts"

export interface StoredEntity {
  readonly entity: Entity
  readonly spaceId: string
  readonly isArchived: boolean
}

export const entityTable = memoryTable<StoredEntity>("entities", ({ entity }) => entity.id)

/** A row that says that a project contains an entity. */
export interface FiledEntity {
  readonly id: string
  /** The space of the entity. The project can be in another space. */
  readonly spaceId: string
  readonly entityId: string
  readonly projectId: string
  readonly userId: string
  readonly createdAt: DateTime.Utc
}

export const filingKey = ({ entityId, projectId }: Pick<FiledEntity, "entityId" | "projectId">) =>
  `${entityId} ${projectId}`

export const filingTable = memoryTable<FiledEntity>("entity_projects", filingKey)

// The table of the projects. Only their state is read here, because the feature of projects uses this file.
const projectTable = memoryTable<{ readonly record: { readonly id: string }; readonly isArchived: boolean }>(
  "projects",
  ({ record }) => record.id
)

/** Returns true if the project was removed. A removed project contains no entity until it is restored. */
export const isRemovedProject = (rows: Rows, projectId: string): boolean =>
  rows.find(projectTable, projectId)?.isArchived === true

/** Returns all pairs of an entity and a project that contains it. */
export const filings = (rows: Rows): ReadonlyArray<FiledEntity> =>
  rows.all(filingTable).filter(({ projectId }) => !isRemovedProject(rows, projectId))

/** Finds the row that says that the project contains the entity. */
export const filingOf = (rows: Rows, filing: Pick<FiledEntity, "entityId" | "projectId">): FiledEntity | undefined =>
  isRemovedProject(rows, filing.projectId) ? undefined : rows.find(filingTable, filingKey(filing))

/** Returns the projects that contain an entity now. */
export const projectsOf = (rows: Rows, entityId: string): ReadonlyArray<string> =>
  filings(rows)
    .filter((filed) => filed.entityId === entityId)
    .map(({ projectId }) => projectId)

const isWithin =
  (rows: Rows, { kinds, objects, projects, spaces }: Bounds) =>
  ({ entity, spaceId }: StoredEntity): boolean =>
    spaces.includes(spaceId) &&
    (kinds === null || kinds.includes(entity.profileSlug)) &&
    (objects === null || objects.includes(entity.id)) &&
    (projects === null || projects.some((projectId) => isFiled(rows, entity.id, projectId)))

/** Finds the entity with this id within the bounds, if its archived state equals `isArchived`. */
export const entityAt = (rows: Rows, bounds: Bounds, id: string, isArchived = false): StoredEntity | undefined => {
  const found = rows.find(entityTable, id)
  return found !== undefined && found.isArchived === isArchived && isWithin(rows, bounds)(found) ? found : undefined
}

/** Returns the entities within the bounds that are not archived. */
export const entitiesWithin = (rows: Rows, bounds: Bounds): ReadonlyArray<StoredEntity> => {
  const fits = isWithin(rows, bounds)
  return rows.all(entityTable).filter((row) => !row.isArchived && fits(row))
}

/**
 * Returns the entities that these projects contain, each once. Uses only the first `countedMax` pairs of a project and
 * an entity, sorted by project and then by entity.
 */
export const firstFiled = (
  rows: Rows,
  entities: ReadonlyArray<StoredEntity>,
  projects: ReadonlyArray<string>
): ReadonlyArray<StoredEntity> => {
  const known = new Map(entities.map((row) => [row.entity.id, row]))
  const first = filings(rows)
    .filter(({ entityId, projectId }) => projects.includes(projectId) && known.has(entityId))
    .toSorted((one, other) => (filingOrder(one) < filingOrder(other) ? -1 : 1))
    .slice(0, countedMax)
  return [...new Set(first.map(({ entityId }) => entityId))].flatMap((id) => known.get(id) ?? [])
}

const filingOrder = ({ entityId, projectId }: FiledEntity) => `${projectId} ${entityId}`

export const isFiled = (rows: Rows, entityId: string, projectId: string): boolean =>
  filingOf(rows, { entityId, projectId }) !== undefined
