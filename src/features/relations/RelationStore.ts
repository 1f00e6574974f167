/**
 * The store of edges. A call may touch an edge if it may touch the space of the edge and may read both entities at the
 * ends of the edge.
 */
import { Context, Effect, Layer } from "effect"
import { byId, pageOfAll } from "../../doors/PageOrder.ts"
import type { Cursor } from "../../doors/Cursor.ts"
import type { Page } from "../../doors/Page.ts"
import type { Bounds, Reach } from "../../doors/Reach.ts"
import { newestFirst } from "../../doors/RowOrder.ts"
import type { Rows } from "../../platform/MemoryDatabase.ts"
import type { Entity } from "../entities/Entity.ts"
import { entityAt, entityTable, filings } from "../entities/EntityTable.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type ReadContext, type WriteContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { edgeBounds, isEdgeOf } from "../projects/EdgeBounds.ts"
import { membershipType, Project } from "../projects/Project.ts"
import { type StoredRecord, recordAt, recordTable } from "../records/RecordTable.ts"
import { type Connection, type Connections, Relation, type RelationContent, RelationNotFound } from "./Relation.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"

export interface RelationFilter {
  /** The spaces to read. Null means every space that the call may read. */
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

export interface LocatedRelation {
  readonly relation: Relation
  readonly spaceId: string
}

/**
 * An edge from the point of view of one of its entities. It has no label, because the label comes from the definition
 * of the relation type.
 */
export type UnlabelledConnection = Omit<Connection, "label"> & { readonly spaceId: string }

export class RelationStore extends Context.Tag("pod/RelationStore")<
  RelationStore,
  {
    /**
     * Lists the edges that the call may read, newest first. Includes an edge from an entity to a project only if the
     * call may read the project.
     */
    readonly list: (filter: RelationFilter) => Effect.Effect<Page<Relation>, never, Reach>
    /** Reads one edge that the call may read: a relation, or an edge from an entity to a project. */
    readonly get: (id: string) => Effect.Effect<Relation, RelationNotFound, Reach>
    /** Finds a relation that the call is allowed to read or delete. Also returns the space of the relation. */
    readonly locate: (id: string) => Effect.Effect<LocatedRelation, RelationNotFound, Reach>
    readonly find: (
      edge: Pick<RelationContent, "sourceEntityId" | "targetEntityId" | "type">
    ) => Effect.Effect<Relation | null, never, Reach>
    /**
     * Adds a relation. Returns null if an equal relation already exists, or if the call cannot access one of the two
     * entities.
     */
    readonly add: (
      relation: NewRelation,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Relation | null, never, Reach>
    /**
     * Archives a relation. Fails with RelationNotFound if the caller cannot access the relation, or if the relation
     * does not have the version `expectedVersion`. If `expectedVersion` is null, accepts any version.
     */
    readonly remove: (
      id: string,
      expectedVersion: number | null,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Relation, RelationNotFound, Reach>
    /** Restores an archived relation. Fails if an equal relation was created in the meantime. */
    readonly restore: (
      id: string,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Relation, RelationNotFound, Reach>
    /**
     * Lists at most `limit` edges of one entity, latest first. Also counts the edges of this entity, in each direction
     * up to `countMax`.
     */
    readonly connections: (
      entityId: string,
      limit: number,
      countMax: number
    ) => Effect.Effect<
      { readonly connections: ReadonlyArray<UnlabelledConnection>; readonly counts: Connections["counts"] },
      never,
      Reach
    >
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => {
      /** Returns the edges on which the call is allowed to do this action. */
      const within = ({ reach, rows }: ReadContext, action: EdgeAction, isArchived = false) => {
        const ends = edgeBounds(reach, action)
        const { personId } = reach.principal
        return rows
          .all(relationTable)
          .filter(
            (each) =>
              each.isArchived === isArchived &&
              ends.spaces.includes(each.spaceId) &&
              isEdgeOf(personId, each.record.userId, each.spaceId) &&
              areReadable(rows, ends, each.record, each.spaceId)
          )
      }
      const one = (at: ReadContext, id: string, action: EdgeAction, isArchived = false) =>
        within(at, action, isArchived).find(({ record }) => record.id === id)
      const isTaken = ({ rows }: ReadContext, edge: Edge) =>
        rows.all(relationTable).some(({ isArchived, record }) => !isArchived && isSame(record, edge))
      const changed = (
        { append, now, rows }: WriteContext,
        found: StoredRecord<Relation>,
        isArchived: boolean,
        event: EventDraft,
        passed: Passed
      ) => {
        const record = { ...found.record, version: found.record.version + 1, updatedAt: now }
        rows.put(relationTable, { ...found, record, isArchived })
        append(found.spaceId, event, passed)
        return Effect.succeed(record)
      }

      /** Returns the edges from entities to projects. The call must be able to read both the entity and the project. */
      const filed = ({ reach, rows }: ReadContext) => {
        const bounds = edgeBounds(reach, "read")
        return filings(rows)
          .filter(
            ({ entityId, projectId }) =>
              entityAt(rows, bounds, entityId) !== undefined && recordAt(rows, reach, Project, projectId) !== undefined
          )
          .map(({ createdAt, entityId, id, projectId, spaceId, userId }) => ({
            spaceId,
            record: {
              id,
              userId,
              workspaceId: workspaceIdOf(spaceId, userId),
              version: 1,
              createdAt,
              updatedAt: createdAt,
              sourceEntityId: entityId,
              targetEntityId: projectId,
              type: membershipType,
              metadata: {}
            }
          }))
      }
      const all = (at: ReadContext) =>
        [...within(at, "read"), ...filed(at)].toSorted((one, other) => newestFirst(one.record, other.record))

      return {
        list: ({ cursor, entityId, limit, offset, spaces, type }) =>
          read((at) => {
            const found = all(at)
              .filter(({ spaceId }) => spaces === null || spaces.includes(spaceId))
              .map(({ record }) => record)
              .filter((relation) => entityId === undefined || isAt(relation, entityId))
              .filter((relation) => type === undefined || relation.type === type)
            return Effect.succeed(pageOfAll(byId, found, { cursor, limit, offset }))
          }),
        get: (id) =>
          read((at) => {
            const found = all(at).find(({ record }) => record.id === id)
            return found === undefined ? new RelationNotFound({ id }) : Effect.succeed(found.record)
          }),
        locate: (id) =>
          read((at) => {
            const found = one(at, id, "delete") ?? one(at, id, "read")
            return found === undefined
              ? new RelationNotFound({ id })
              : Effect.succeed({ relation: found.record, spaceId: found.spaceId })
          }),
        find: (edge) =>
          read((at) => Effect.succeed(within(at, "read").find(({ record }) => isSame(record, edge))?.record ?? null)),
        add: ({ id, spaceId, ...content }, event, passed) =>
          write((at) => {
            const { append, now, reach, rows } = at
            const { personId } = reach.principal
            const ends = edgeBounds(reach, "create")
            const isWithin = ends.spaces.includes(spaceId) && areReadable(rows, ends, content, spaceId)
            if (!isWithin || isTaken(at, content)) return Effect.succeed(null)
            const record: Relation = {
              ...content,
              id,
              userId: personId,
              workspaceId: workspaceIdOf(spaceId, personId),
              version: 1,
              createdAt: now,
              updatedAt: now
            }
            rows.put(relationTable, { record, spaceId, isArchived: false })
            append(spaceId, event, passed)
            return Effect.succeed(record)
          }),
        remove: (id, expectedVersion, event, passed) =>
          write((at) => {
            const found = one(at, id, "delete")
            return found === undefined || (expectedVersion !== null && expectedVersion !== found.record.version)
              ? new RelationNotFound({ id })
              : changed(at, found, true, event, passed)
          }),
        restore: (id, event, passed) =>
          write((at) => {
            const found = one(at, id, "create", true)
            return found === undefined || isTaken(at, found.record)
              ? new RelationNotFound({ id })
              : changed(at, found, false, event, passed)
          }),
        connections: (entityId, limit, countMax) =>
          read((at) => {
            const all = within(at, "read")
              .filter(({ record }) => isAt(record, entityId))
              .toSorted((one, other) => newestFirst(one.record, other.record))
            const isOutgoing = ({ record }: (typeof all)[number]) => record.sourceEntityId === entityId
            const [outgoing, incoming] = [all.filter(isOutgoing), all.filter((edge) => !isOutgoing(edge))]
            const edges = [...outgoing.slice(0, countMax), ...incoming.slice(0, countMax)].toSorted((one, other) =>
              newestFirst(one.record, other.record)
            )
            const byType: Record<string, number> = {}
            for (const { record } of edges) byType[record.type] = (byType[record.type] ?? 0) + 1
            const connections = edges.slice(0, limit).flatMap(({ record, spaceId }) => {
              const other = record.sourceEntityId === entityId ? record.targetEntityId : record.sourceEntityId
              const found = at.rows.find(entityTable, other)
              return found === undefined ? [] : [connectionOf(record, spaceId, entityId, found.entity)]
            })
            return Effect.succeed({ connections, counts: { total: edges.length, byType } })
          })
      }
    })
  )
}

const relationTable = recordTable(Relation)

type EdgeAction = "read" | "create" | "delete"
type Ends = Pick<Relation, "sourceEntityId" | "targetEntityId">
type Edge = Pick<Relation, "sourceEntityId" | "targetEntityId" | "type">

const areReadable = (rows: Rows, bounds: Bounds, { sourceEntityId, targetEntityId }: Ends, spaceId: string) =>
  [sourceEntityId, targetEntityId].every((id) => entityAt(rows, bounds, id)?.spaceId === spaceId)

const isSame = (one: Edge, other: Edge) =>
  one.sourceEntityId === other.sourceEntityId && one.targetEntityId === other.targetEntityId && one.type === other.type

const isAt = ({ sourceEntityId, targetEntityId }: Ends, entityId: string) =>
  sourceEntityId === entityId || targetEntityId === entityId

const connectionOf = (relation: Relation, spaceId: string, entityId: string, other: Entity): UnlabelledConnection => ({
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
