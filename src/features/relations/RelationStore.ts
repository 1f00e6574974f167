/** Where edges are kept. One is within a call's reach when its space is, and both its ends are entities the call reads. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import type { Cursor } from "../../doors/Fields.ts"
import type { Page } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import type { Entity } from "../entities/Entity.ts"
import { EntityStore } from "../entities/EntityStore.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import { edgeBounds } from "../projects/EdgeBounds.ts"
import { membershipType, Project } from "../projects/Project.ts"
import { MemoryFiled } from "../entities/MemoryFiled.ts"
import { pageByOrder, Records } from "../records/Records.ts"
import { type Connection, type Connections, Relation, type RelationContent, RelationNotFound } from "./Relation.ts"

export interface RelationFilter {
  /** Null: every space the call reads. */
  readonly spaces: ReadonlyArray<string> | null
  readonly entityId: string | undefined
  readonly type: string | undefined
  readonly limit: number
  readonly offset: number
  readonly cursor: Cursor | undefined
}

export interface NewRelation extends RelationContent {
  readonly id: string
  readonly spaceId: string
}

export interface PlacedRelation {
  readonly relation: Relation
  readonly spaceId: string
}

/** A connection without what its type means. */
export type BareConnection = Omit<Connection, "label"> & { readonly spaceId: string }

export class RelationStore extends Context.Tag("pod/RelationStore")<
  RelationStore,
  {
    /** Newest first, with what is filed in projects that the call reads. */
    readonly list: (filter: RelationFilter) => Effect.Effect<Page<Relation>, never, Reach>
    /** One of either sort, to be read. */
    readonly get: (id: string) => Effect.Effect<Relation, RelationNotFound, Reach>
    /** An edge between entities that the call reads or may delete. */
    readonly place: (id: string) => Effect.Effect<PlacedRelation, RelationNotFound, Reach>
    readonly find: (
      edge: Pick<RelationContent, "sourceEntityId" | "targetEntityId" | "type">
    ) => Effect.Effect<Relation | null, never, Reach>
    /** Null where there is such an edge already, or an end is out of reach. */
    readonly add: (made: NewRelation, event: EventDraft, passed: Passed) => Effect.Effect<Relation | null, never, Reach>
    /** Archives it. Fails alike for one at another version than expected. */
    readonly remove: (
      id: string,
      expectedVersion: number | null,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Relation, RelationNotFound, Reach>
    /** Takes an archiving back, unless there is such an edge again. */
    readonly restore: (
      id: string,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Relation, RelationNotFound, Reach>
    /** The edges of one entity, the latest first, with the counts of all of them. */
    readonly connections: (
      entityId: string,
      limit: number
    ) => Effect.Effect<
      { readonly connections: ReadonlyArray<BareConnection>; readonly counts: Connections["counts"] },
      never,
      Reach
    >
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const entities = yield* EntityStore
      const records = yield* Records
      const members = yield* MemoryFiled
      const kept = yield* Ref.make<ReadonlyArray<Kept>>([])

      const endOf = (id: string) =>
        Effect.catchTag(entities.get(id), "EntityNotFound", () => Effect.succeed<Entity | null>(null))
      const areReadable = ({ sourceEntityId, targetEntityId }: Ends, spaceId: string) =>
        Effect.gen(function* () {
          const ends = [yield* endOf(sourceEntityId), yield* endOf(targetEntityId)]
          return ends.every((end) => end !== null && (end.workspaceId ?? end.userId) === spaceId)
        })
      const within = (action: "read" | "create" | "delete", isArchived = false) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const { spaces } = edgeBounds(reach, action)
          const { personId } = reach.principal
          return yield* Effect.filter(
            (yield* Ref.get(kept)).filter(
              (each) =>
                each.isArchived === isArchived &&
                spaces.includes(each.spaceId) &&
                (each.relation.userId === personId ||
                  (each.spaceId !== each.relation.userId && each.spaceId !== personId))
            ),
            ({ relation, spaceId }) => areReadable(relation, spaceId)
          )
        })
      const byId = (id: string, all: ReadonlyArray<Kept>) => {
        const found = all.find(({ relation }) => relation.id === id)
        return found === undefined ? Effect.fail(new RelationNotFound({ id })) : Effect.succeed(found)
      }
      const replaced = (one: Kept, isArchived: boolean, event: EventDraft, passed: Passed) =>
        Effect.gen(function* () {
          const { relation, spaceId } = one
          const made = { ...relation, version: relation.version + 1, updatedAt: yield* DateTime.now }
          yield* Ref.update(kept, (all) => [
            ...all.filter((other) => other !== one),
            { relation: made, spaceId, isArchived }
          ])
          yield* append(yield* Reach, spaceId, event, passed)
          return made
        })

      /** What is filed in projects, as edges. */
      const filed = Effect.gen(function* () {
        const reach = yield* Reach
        const { spaces } = edgeBounds(reach, "read")
        const found = yield* Effect.filter(yield* Ref.get(members.kept), ({ entityId, projectId, spaceId }) =>
          Effect.gen(function* () {
            const project = yield* Effect.option(records.get(Project, projectId))
            return project._tag === "Some" && spaces.includes(spaceId) && (yield* endOf(entityId)) !== null
          })
        )
        return found.map(({ createdAt, entityId, id, projectId, spaceId, userId }) => ({
          spaceId,
          relation: {
            id,
            userId,
            workspaceId: spaceId === userId ? null : spaceId,
            version: 1,
            createdAt,
            updatedAt: createdAt,
            sourceEntityId: entityId,
            targetEntityId: projectId,
            type: membershipType,
            metadata: {}
          }
        }))
      })
      const all = Effect.zipWith(within("read"), filed, (edges, memberships) =>
        [...edges, ...memberships].toSorted((one, other) => (one.relation.id < other.relation.id ? 1 : -1))
      )
      const isAt = (entityId: string | undefined) => (relation: Relation) =>
        entityId === undefined || relation.sourceEntityId === entityId || relation.targetEntityId === entityId

      return {
        list: ({ cursor, entityId, limit, offset, spaces, type }) =>
          Effect.gen(function* () {
            const found = (yield* all)
              .filter(({ spaceId }) => spaces === null || spaces.includes(spaceId))
              .map(({ relation }) => relation)
              .filter(isAt(entityId))
              .filter((relation) => type === undefined || relation.type === type)
              .filter(({ id }) => cursor === undefined || id < cursor.id)
            return pageByOrder(Relation, found.slice(offset, offset + limit + 1), limit)
          }),
        get: (id) =>
          Effect.flatMap(all, (found) => {
            const one = found.find(({ relation }) => relation.id === id)
            return one === undefined ? Effect.fail(new RelationNotFound({ id })) : Effect.succeed(one.relation)
          }),
        place: (id) =>
          Effect.orElse(
            Effect.flatMap(within("delete"), (found) => byId(id, found)),
            () => Effect.flatMap(within("read"), (found) => byId(id, found))
          ),
        find: (edge) =>
          Effect.map(within("read"), (found) => found.find(({ relation }) => isSame(relation, edge))?.relation ?? null),
        add: ({ id, spaceId, ...content }, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const { personId } = reach.principal
            const isTaken = (yield* Ref.get(kept)).some((each) => !each.isArchived && isSame(each.relation, content))
            const isWithin = edgeBounds(reach, "create").spaces.includes(spaceId)
            if (isTaken || !isWithin || !(yield* areReadable(content, spaceId))) return null
            const now = yield* DateTime.now
            const relation = {
              ...content,
              id,
              userId: personId,
              workspaceId: spaceId === personId ? null : spaceId,
              version: 1,
              createdAt: now,
              updatedAt: now
            }
            yield* Ref.update(kept, (others) => [...others, { relation, spaceId, isArchived: false }])
            yield* append(reach, spaceId, event, passed)
            return relation
          }),
        remove: (id, expectedVersion, event, passed) =>
          Effect.gen(function* () {
            const one = yield* byId(id, yield* within("delete"))
            if (expectedVersion !== null && expectedVersion !== one.relation.version) {
              return yield* new RelationNotFound({ id })
            }
            return yield* replaced(one, true, event, passed)
          }),
        restore: (id, event, passed) =>
          Effect.gen(function* () {
            const one = yield* byId(id, yield* within("create", true))
            const isTaken = (yield* Ref.get(kept)).some(
              (each) => !each.isArchived && isSame(each.relation, one.relation)
            )
            return isTaken ? yield* new RelationNotFound({ id }) : yield* replaced(one, false, event, passed)
          }),
        connections: (entityId, limit) =>
          Effect.gen(function* () {
            const edges = (yield* within("read"))
              .filter(({ relation }) => isAt(entityId)(relation))
              .toSorted((one, other) => (one.relation.id < other.relation.id ? 1 : -1))
            const byType: Record<string, number> = {}
            for (const { relation } of edges) byType[relation.type] = (byType[relation.type] ?? 0) + 1
            const connections = yield* Effect.forEach(edges.slice(0, limit), ({ relation, spaceId }) =>
              Effect.map(
                endOf(relation.sourceEntityId === entityId ? relation.targetEntityId : relation.sourceEntityId),
                (other) => (other === null ? [] : [connected(relation, spaceId, entityId, other)])
              )
            )
            return { connections: connections.flat(), counts: { total: edges.length, byType } }
          })
      }
    })
  )
}

/** An edge as the twin keeps it. */
interface Kept extends PlacedRelation {
  readonly isArchived: boolean
}

type Ends = Pick<Relation, "sourceEntityId" | "targetEntityId">

const isSame = (one: Ends & { readonly type: string }, other: Ends & { readonly type: string }) =>
  one.sourceEntityId === other.sourceEntityId && one.targetEntityId === other.targetEntityId && one.type === other.type

const connected = (relation: Relation, spaceId: string, entityId: string, other: Entity): BareConnection => ({
  spaceId,
  relationId: relation.id,
  entityId: other.id,
  relationType: relation.type,
  direction: relation.sourceEntityId === entityId ? "outgoing" : "incoming",
  entity: {
    id: other.id,
    title: other.title,
    profileSlug: other.profileSlug,
    preview: other.preview,
    workspaceId: other.workspaceId,
    updatedAt: other.updatedAt
  }
})
