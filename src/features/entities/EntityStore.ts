/**
 * The store of entities. Every method sees only the entities that the call may read or change, as if no other entities
 * existed.
 */
import { Context, Effect, Layer } from "effect"
import { byUpdate, pageOfAll } from "../../doors/PageOrder.ts"
import { countedMax, type Page, singlePage } from "../../doors/Page.ts"
import type { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { schemaIn, profilesStamp } from "../profiles/Profiles.ts"
import { readRecords } from "../records/RecordTable.ts"
import {
  type EntityCount,
  type Entity,
  EntityChanged,
  type EntityEdit,
  type EntityFilter,
  type EntityHead,
  EntityNotFound,
  headOf,
  ProfileUnknown
} from "./Entity.ts"
import { createBounds, listingBounds } from "./EntityBounds.ts"
import {
  entitiesWithin,
  entityAt,
  entityTable,
  filingTable,
  firstFiled,
  isFiled,
  isRemovedProject,
  projectsOf
} from "./EntityTable.ts"
import { Facet } from "../facets/Facet.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"

/** A new entity that the service has validated, with its defaults. */
export interface NewEntity {
  readonly id: string
  readonly spaceId: string
  readonly kind: string
  readonly title: string
  readonly preview: string | null
  readonly description: string | null
  readonly properties: Readonly<Record<string, unknown>>
  readonly projectId: string | undefined
  /** The id of the document that is created with the entity. Null or absent if there is no document. */
  readonly documentId?: string | null
  /**
   * The stamp (the version) of the schema that validated the entity. The store adds the entity only if this schema is
   * still current.
   */
  readonly schemaStamp?: number | null
}

/**
 * Selects the entities to count: the entities of `spaces`, or of every space that the call reads if `spaces` is null.
 * If a project is given, selects only the entities of this project.
 */
export interface CountScope {
  readonly spaces: ReadonlyArray<string> | null
  readonly projectId?: string | undefined
}

/** An entity with its space and projects, which the gate needs for its decision. */
export interface LocatedEntity {
  readonly entity: Entity
  readonly spaceId: string
  readonly projectIds: ReadonlyArray<string>
}

export class EntityStore extends Context.Tag("pod/EntityStore")<
  EntityStore,
  {
    /**
     * Lists the entities, latest update first. Sorts entities with equal times by id. A search returns the best match
     * first, and has no cursor. Ignores spaces in `spaces` that the call is not allowed to read.
     */
    readonly list: (
      filter: EntityFilter,
      spaces: ReadonlyArray<string> | null
    ) => Effect.Effect<Page<Entity>, never, Reach>
    readonly get: (id: string) => Effect.Effect<Entity, EntityNotFound, Reach>
    /**
     * Returns the entities with these ids, in no particular order, each once. Leaves out the entities that `get` would
     * not find.
     */
    readonly listByIds: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Entity>, never, Reach>
    /**
     * Returns what names the entities with these ids, without their content. Leaves out the entities that `get` would not
     * find.
     */
    readonly heads: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<EntityHead>, never, Reach>
    /**
     * Counts the entities of each kind in each space that the call reads. Each count stops at `countedMax`. If `scope`
     * names a project, or the call is limited to projects, counts only the first `countedMax` entities of these
     * projects. Leaves out kinds without entities.
     */
    readonly countByKind: (scope: CountScope) => Effect.Effect<ReadonlyArray<EntityCount>, never, Reach>
    /**
     * Reads an entity with its space and projects, which the gate needs for its decision. Fails if the call is allowed
     * neither to read the entity nor to do the action on it.
     */
    readonly locate: (id: string, action: "update" | "delete") => Effect.Effect<LocatedEntity, EntityNotFound, Reach>
    /**
     * Adds an entity. Fails with ProfileUnknown in three cases: the kind is unknown, the schema has changed since the
     * validation, or the call is not allowed to make the write. In the last case, the gate normally refuses the write
     * earlier.
     */
    readonly add: (entity: NewEntity, event: EventDraft, passed: Passed) => Effect.Effect<Entity, ProfileUnknown, Reach>
    readonly change: (
      id: string,
      change: EntityEdit,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Entity, EntityNotFound | EntityChanged, Reach>
    /**
     * Archives the entity. Callers can then no longer read the entity, but the pod keeps the history of the entity.
     * Returns the last state of the entity, with the version after the removal.
     */
    readonly remove: (
      id: string,
      expectedVersion: number | null,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Entity, EntityNotFound | EntityChanged, Reach>
    readonly restore: (id: string, event: EventDraft, passed: Passed) => Effect.Effect<Entity, EntityNotFound, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => {
      /** Returns the ids of the entities that have a facet. Ignores facets that the call may not read. */
      const playersOf = ({ reach, rows }: ReadContext, slug: string) =>
        new Set(
          readRecords(rows, reach, Facet)
            .filter((facet) => facet.slug === slug)
            .map(({ entityId }) => entityId)
        )

      return {
        list: ({ cursor, facet, kind, limit, offset, projectId, search }, spaces) =>
          read((at) => {
            const { reach, rows } = at
            const players = facet === undefined ? null : playersOf(at, facet)
            const found = entitiesWithin(rows, listingBounds(reach, spaces))
              .map(({ entity }) => entity)
              .filter(
                (entity) =>
                  (kind === undefined || entity.profileSlug === kind) &&
                  (projectId === undefined || isFiled(rows, entity.id, projectId)) &&
                  (players === null || players.has(entity.id)) &&
                  (search === undefined || mentions(entity, search))
              )
            const page = pageOfAll(byUpdate, found, { cursor, limit, offset })
            return Effect.succeed(search === undefined ? page : singlePage(page.items))
          }),
        get: (id) =>
          read(({ reach, rows }) => {
            const found = entityAt(rows, reach.bounds("entity", "read"), id)
            return found === undefined ? new EntityNotFound({ id }) : Effect.succeed(found.entity)
          }),
        listByIds: (ids) =>
          read(({ reach, rows }) =>
            Effect.succeed(
              entitiesWithin(rows, reach.bounds("entity", "read"))
                .map(({ entity }) => entity)
                .filter(({ id }) => ids.includes(id))
            )
          ),
        heads: (ids) =>
          read(({ reach, rows }) =>
            Effect.succeed(
              [...new Set(ids)].flatMap((id) => {
                const found = entityAt(rows, reach.bounds("entity", "read"), id)
                return found === undefined ? [] : [headOf(found.entity)]
              })
            )
          ),
        countByKind: ({ projectId, spaces }) =>
          read(({ reach, rows }) => {
            const tallies = new Map<string, EntityCount>()
            const bounds = listingBounds(reach, spaces)
            const projects = projectId === undefined ? bounds.projects : [projectId]
            const counted = entitiesWithin(rows, bounds)
            for (const { entity, spaceId } of projects === null ? counted : firstFiled(rows, counted, projects)) {
              const name = `${spaceId} ${entity.profileSlug}`
              const count = Math.min((tallies.get(name)?.count ?? 0) + 1, countedMax)
              tallies.set(name, { spaceId, kind: entity.profileSlug, count })
            }
            return Effect.succeed(
              [...tallies].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
            )
          }),
        locate: (id, action) =>
          read(({ reach, rows }) => {
            const found =
              entityAt(rows, reach.bounds("entity", action), id) ?? entityAt(rows, reach.bounds("entity", "read"), id)
            return found === undefined
              ? new EntityNotFound({ id })
              : Effect.succeed({
                  entity: found.entity,
                  spaceId: found.spaceId,
                  projectIds: projectsOf(rows, id)
                })
          }),
        add: ({ id, kind, projectId, schemaStamp = null, spaceId, ...fields }, event, passed) =>
          write(({ append, now, reach, rows }) => {
            const isKind = schemaIn(rows, reach, kind, spaceId)?.profileKind === "kind"
            const isCurrent = schemaStamp === null || schemaStamp === profilesStamp(rows, spaceId)
            if (!isKind || !isCurrent || !createBounds(reach, kind).spaces.includes(spaceId))
              return new ProfileUnknown({ slug: kind })
            const { personId: userId } = reach.principal
            const entity: Entity = {
              id,
              profileSlug: kind,
              type: kind,
              title: fields.title,
              preview: fields.preview,
              description: fields.description,
              properties: fields.properties,
              systemData: {},
              userId,
              workspaceId: workspaceIdOf(spaceId, userId),
              documentId: fields.documentId ?? null,
              version: 1,
              createdAt: now,
              updatedAt: now
            }
            rows.put(entityTable, { entity, spaceId, isArchived: false })
            if (projectId !== undefined && !isRemovedProject(rows, projectId)) {
              rows.put(filingTable, { id: uuidv7(), spaceId, entityId: id, projectId, userId, createdAt: now })
            }
            append(spaceId, event, passed)
            return Effect.succeed(entity)
          }),
        change: (id, change, event, passed) =>
          write(({ append, now, reach, rows }) => {
            const found = entityAt(rows, reach.bounds("entity", "update"), id)
            if (found === undefined) return new EntityNotFound({ id })
            const { version } = found.entity
            if (change.version !== undefined && change.version !== version) return new EntityChanged({ version })
            const properties = { ...found.entity.properties, ...change.properties }
            for (const name of change.deleteProperties ?? []) delete properties[name]
            const entity: Entity = {
              ...found.entity,
              ...(change.title === undefined ? {} : { title: change.title }),
              ...(change.description === undefined ? {} : { description: change.description }),
              ...(change.preview === undefined ? {} : { preview: change.preview }),
              properties,
              version: version + 1,
              updatedAt: now
            }
            rows.put(entityTable, { ...found, entity })
            append(found.spaceId, event, passed)
            return Effect.succeed(entity)
          }),
        remove: (id, expectedVersion, event, passed) =>
          write(({ append, now, reach, rows }) => {
            const found = entityAt(rows, reach.bounds("entity", "delete"), id)
            if (found === undefined) return new EntityNotFound({ id })
            const { version } = found.entity
            if (expectedVersion !== null && expectedVersion !== version) return new EntityChanged({ version })
            const entity = { ...found.entity, version: version + 1, updatedAt: now }
            rows.put(entityTable, { ...found, entity, isArchived: true })
            append(found.spaceId, event, passed)
            return Effect.succeed(entity)
          }),
        restore: (id, event, passed) =>
          write(({ append, now, reach, rows }) => {
            const found = entityAt(rows, reach.bounds("entity", "update"), id, true)
            if (found === undefined) return new EntityNotFound({ id })
            const entity = { ...found.entity, version: found.entity.version + 1, updatedAt: now }
            rows.put(entityTable, { ...found, entity, isArchived: false })
            append(found.spaceId, event, passed)
            return Effect.succeed(entity)
          })
      }
    })
  )
}

const mentions = (entity: Entity, search: string) =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${entity.title} ${entity.description ?? ""}`.toLowerCase().includes(word))
