/** What entities need kept. Every method is bounded by the call's Reach; nothing outside it exists. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import type { Cursor } from "../../doors/Fields.ts"
import { type Page, wholePage } from "../../doors/Page.ts"
import { type Bounds, inSpaces, nothing, Reach, type ReachShape } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { pageByOrder, Records } from "../records/Records.ts"
import {
  type Entity,
  EntityChanged,
  type EntityEdit,
  type EntityFilter,
  EntityNotFound,
  ProfileUnknown
} from "./Entity.ts"
import { Facet } from "./facets/Facet.ts"
import { MemoryFiled } from "./MemoryFiled.ts"

/** A new entity with everything decided. */
export interface NewEntity {
  readonly id: string
  readonly spaceId: string
  readonly kind: string
  readonly title: string
  readonly preview: string | null
  readonly description: string | null
  readonly properties: Readonly<Record<string, unknown>>
  readonly projectId: string | undefined
  /** The document that is made with it. */
  readonly documentId?: string | null
  /** Of the schema it was held to; added only while that is the one there is. */
  readonly schemaStamp?: number | null
}

export interface EntityTally {
  readonly spaceId: string
  readonly kind: string
  readonly count: number
}

/** An entity with what the gate asks about. */
export interface PlacedEntity {
  readonly entity: Entity
  readonly spaceId: string
  readonly projectIds: ReadonlyArray<string>
}

export class EntityStore extends Context.Tag("pod/EntityStore")<
  EntityStore,
  {
    /**
     * Newest first by last update, then by id; a search best first, and without a cursor. `spaces` narrows further; it
     * never widens.
     */
    readonly list: (
      filter: EntityFilter,
      spaces: ReadonlyArray<string> | null
    ) => Effect.Effect<Page<Entity>, never, Reach>
    readonly get: (id: string) => Effect.Effect<Entity, EntityNotFound, Reach>
    /** How many there are of each kind in each space that the call reads; what there is none of is left out. */
    readonly tally: Effect.Effect<ReadonlyArray<EntityTally>, never, Reach>
    /** Where it lives, for the gate. Fails when the call can neither read it nor touch it with the action. */
    readonly place: (id: string, action: "update" | "delete") => Effect.Effect<PlacedEntity, EntityNotFound, Reach>
    /**
     * Fails as for an unknown kind also outside the reach, where the gate lets nobody come to, and where the schema
     * moved on.
     */
    readonly add: (made: NewEntity, event: EventDraft, passed: Passed) => Effect.Effect<Entity, ProfileUnknown, Reach>
    readonly change: (
      id: string,
      change: EntityEdit,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Entity, EntityNotFound | EntityChanged, Reach>
    /** Archives it: it is gone for every reader, and its history stays. Answers it as it was last. */
    readonly remove: (
      id: string,
      expectedVersion: number | null,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Entity, EntityNotFound | EntityChanged, Reach>
    /** Takes an archiving back. */
    readonly restore: (id: string, event: EventDraft, passed: Passed) => Effect.Effect<Entity, EntityNotFound, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const filed = yield* MemoryFiled
      const held = yield* Ref.make<ReadonlyArray<Omit<PlacedEntity, "projectIds">>>([])
      /** With the projects in which they are filed now. */
      const placedIn = (of: typeof held) =>
        Effect.zipWith(Ref.get(of), Ref.get(filed.kept), (all, edges) => {
          const projects = new Map<string, Array<string>>()
          for (const { entityId, projectId } of edges) {
            projects.set(entityId, [...(projects.get(entityId) ?? []), projectId])
          }
          return all.map((each): PlacedEntity => ({ ...each, projectIds: projects.get(each.entity.id) ?? [] }))
        })
      const kept = placedIn(held)
      const archived = yield* Ref.make<ReadonlyArray<Omit<PlacedEntity, "projectIds">>>([])
      const { schemaFor } = yield* Profiles
      const records = yield* Records

      /** Who plays a role, as far as the call reads roles. */
      const playersOf = (slug: string) =>
        Effect.map(
          records.list(Facet, { where: { slug }, limit: Number.MAX_SAFE_INTEGER }),
          ({ items }) => new Set(items.map(({ entityId }) => entityId))
        )
      const within = (bounds: Bounds) => (placed: PlacedEntity) =>
        bounds.spaces.includes(placed.spaceId) &&
        (bounds.kinds === null || bounds.kinds.includes(placed.entity.profileSlug)) &&
        (bounds.objects === null || bounds.objects.includes(placed.entity.id)) &&
        (bounds.projects === null || placed.projectIds.some((project) => bounds.projects!.includes(project)))
      const newestFirst = (one: PlacedEntity, other: PlacedEntity) =>
        DateTime.distance(one.entity.updatedAt, other.entity.updatedAt) || (one.entity.id < other.entity.id ? 1 : -1)
      const find = (id: string, bounds: Bounds) =>
        Effect.flatMap(kept, (all) => {
          const found = all.find((placed) => placed.entity.id === id && within(bounds)(placed))
          return found === undefined ? Effect.fail(new EntityNotFound({ id })) : Effect.succeed(found)
        })
      const replace = (id: string, by: Omit<PlacedEntity, "projectIds"> | undefined) =>
        Ref.update(held, (all) => [...all.filter(({ entity }) => entity.id !== id), ...(by === undefined ? [] : [by])])

      return {
        list: (filter, spaces) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const bounds = narrowed(reach, spaces)
            const { cursor, limit, offset } = filter
            const all = yield* kept
            const players = filter.facet === undefined ? null : yield* playersOf(filter.facet)
            const found = all
              .filter(within(bounds))
              .filter(
                ({ entity, projectIds }) =>
                  (filter.kind === undefined || entity.profileSlug === filter.kind) &&
                  (filter.projectId === undefined || projectIds.includes(filter.projectId)) &&
                  (players === null || players.has(entity.id)) &&
                  (filter.search === undefined || mentions(entity, filter.search))
              )
              .toSorted(newestFirst)
              .map(({ entity }) => entity)
            if (filter.search !== undefined) return wholePage(found.slice(offset, offset + limit))
            const past = found.filter((entity) => cursor === undefined || isPast(entity, cursor))
            return pageByOrder(latestFirst, past.slice(offset, offset + limit + 1), limit)
          }),
        get: (id) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            return (yield* find(id, reach.bounds("entity", "read"))).entity
          }),
        tally: Effect.gen(function* () {
          const bounds = narrowed(yield* Reach, null)
          const tallies = new Map<string, EntityTally>()
          for (const { entity, spaceId } of (yield* kept).filter(within(bounds))) {
            const name = `${spaceId} ${entity.profileSlug}`
            const count = (tallies.get(name)?.count ?? 0) + 1
            tallies.set(name, { spaceId, kind: entity.profileSlug, count })
          }
          return [...tallies].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, tally]) => tally)
        }),
        place: (id, action) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            return yield* Effect.orElse(find(id, reach.bounds("entity", action)), () =>
              find(id, reach.bounds("entity", "read"))
            )
          }),
        add: (made, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const { spaces } = addingBounds(reach, made.kind)
            const schema = yield* schemaFor(made.kind, made.spaceId)
            if (schema?.profileKind !== "kind" || !spaces.includes(made.spaceId)) {
              return yield* new ProfileUnknown({ slug: made.kind })
            }
            const now = yield* DateTime.now
            const entity: Entity = {
              id: made.id,
              profileSlug: made.kind,
              type: made.kind,
              title: made.title,
              preview: made.preview,
              description: made.description,
              properties: made.properties,
              systemData: {},
              userId: reach.principal.personId,
              workspaceId: made.spaceId === reach.principal.personId ? null : made.spaceId,
              documentId: made.documentId ?? null,
              version: 1,
              createdAt: now,
              updatedAt: now
            }
            yield* replace(made.id, { entity, spaceId: made.spaceId })
            const { projectId } = made
            if (projectId !== undefined) {
              const { spaceId } = made
              const edge = {
                id: uuidv7(),
                spaceId,
                entityId: made.id,
                projectId,
                userId: entity.userId,
                createdAt: now
              }
              yield* Ref.update(filed.kept, (all) => [...all, edge])
            }
            yield* append(reach, made.spaceId, event, passed)
            return entity
          }),
        change: (id, change, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const placed = yield* find(id, reach.bounds("entity", "update"))
            if (change.version !== undefined && change.version !== placed.entity.version) {
              return yield* new EntityChanged({ version: placed.entity.version })
            }
            const properties = { ...placed.entity.properties, ...change.properties }
            for (const name of change.deleteProperties ?? []) delete properties[name]
            const entity: Entity = {
              ...placed.entity,
              ...(change.title === undefined ? {} : { title: change.title }),
              ...(change.description === undefined ? {} : { description: change.description }),
              ...(change.preview === undefined ? {} : { preview: change.preview }),
              properties,
              version: placed.entity.version + 1,
              updatedAt: yield* DateTime.now
            }
            yield* replace(id, { spaceId: placed.spaceId, entity })
            yield* append(reach, placed.spaceId, event, passed)
            return entity
          }),
        remove: (id, expectedVersion, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const placed = yield* find(id, reach.bounds("entity", "delete"))
            const { version } = placed.entity
            if (expectedVersion !== null && expectedVersion !== version) return yield* new EntityChanged({ version })
            yield* replace(id, undefined)
            yield* Ref.update(archived, (all) => [...all, placed])
            yield* append(reach, placed.spaceId, event, passed)
            return placed.entity
          }),
        restore: (id, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const bounds = reach.bounds("entity", "update")
            const placed = (yield* placedIn(archived)).find((each) => each.entity.id === id && within(bounds)(each))
            if (placed === undefined) return yield* new EntityNotFound({ id })
            const version = placed.entity.version + 2
            const entity = { ...placed.entity, version, updatedAt: yield* DateTime.now }
            yield* Ref.update(archived, (all) => all.filter((each) => each.entity.id !== id))
            yield* replace(id, { ...placed, entity })
            yield* append(reach, placed.spaceId, event, passed)
            return entity
          })
      }
    })
  )
}

/** How listings of entities are ordered. */
export const latestFirst = { order: "updated" } as const

const isPast = ({ id, updatedAt }: Entity, cursor: Cursor) => {
  const [one, last] = [DateTime.formatIso(updatedAt), cursor.at ?? ""]
  return one === last ? id < cursor.id : one < last
}

/** The bounds of a listing within the spaces it was narrowed to. */
export const narrowed = (reach: ReachShape, spaces: ReadonlyArray<string> | null): Bounds => {
  const bounds = reach.bounds("entity", "read")
  return spaces === null ? bounds : inSpaces(bounds, spaces)
}

/** Where one of a kind may be added. The objects and projects of a grant are the gate's to decide: it is neither yet. */
export const addingBounds = (reach: ReachShape, kind: string): Bounds => {
  const { spaces, kinds } = reach.bounds("entity", "create")
  return kinds === null || kinds.includes(kind) ? { ...nothing, spaces } : nothing
}

const mentions = (entity: Entity, search: string) =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${entity.title} ${entity.description ?? ""}`.toLowerCase().includes(word))
