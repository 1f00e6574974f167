/**
 * The store that follows relations and properties from several entities in one call. It follows a relation only if the
 * caller may read the entities at both ends.
 */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { newestFirst } from "../../doors/RowOrder.ts"
import { entitiesWithin, entityAt } from "../entities/EntityTable.ts"
import { memoryStatements } from "../events/EventTable.ts"
import { edgeBounds, isEdgeOf } from "../projects/EdgeBounds.ts"
import { recordTable } from "../records/RecordTable.ts"
import { Relation } from "../relations/Relation.ts"

/** A relation that the store has followed, with the entity at the other end of the relation. */
export interface Step {
  readonly relationId: string
  readonly relationType: string
  readonly direction: "outgoing" | "incoming"
  readonly fromId: string
  readonly entityId: string
  readonly title: string
  readonly profileSlug: string
  readonly userId: string
  readonly spaceId: string
}

export interface StepsFrom {
  /** The entities to start from, which the caller may read, each with its space. */
  readonly nodes: ReadonlyArray<{ readonly id: string; readonly spaceId: string }>
  /** The types of relations to follow. Null means every type. */
  readonly types: ReadonlyArray<string> | null
  /** The maximum number of relations that the store follows from one entity in one direction. */
  readonly limit: number
}

/** An entity with a property that contains the id of another object. */
export interface PropertyReference {
  readonly entityId: string
  /** The slug of the property that contains the id. */
  readonly property: string
  readonly title: string
  readonly profileSlug: string
  readonly userId: string
  readonly spaceId: string
}

export class GraphStore extends Context.Tag("pod/GraphStore")<
  GraphStore,
  {
    /**
     * Returns the relations of the given entities, in the order of these entities. The relations of one entity are
     * sorted, newest first.
     */
    readonly steps: (from: StepsFrom) => Effect.Effect<ReadonlyArray<Step>, never, Reach>
    /**
     * Finds the entities with a property that contains this id, alone or in a list, newest entity first. The store does
     * not check whether the profile defines the property as a reference. The caller of this method must check that.
     */
    readonly findReferencing: (
      id: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PropertyReference>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => ({
      findReferencing: (id: string, limit: number) =>
        read(({ reach, rows }) => {
          const holds = (value: unknown) =>
            [value].flat().some((each) => typeof each === "string" && each.toLowerCase() === id)
          const found = entitiesWithin(rows, reach.bounds("entity", "read")).flatMap(({ entity, spaceId }) =>
            Object.entries(entity.properties)
              .filter(([, value]) => holds(value))
              .map(([property]): PropertyReference => {
                const { id: entityId, profileSlug, title, userId } = entity
                return { entityId, property, title, profileSlug, userId, spaceId }
              })
          )
          return Effect.succeed(found.toSorted(lastEntityFirst).slice(0, limit))
        }),
      steps: ({ limit, nodes, types }: StepsFrom) =>
        read(({ reach, rows }) => {
          const ends = edgeBounds(reach, "read")
          const { personId } = reach.principal
          const edges = rows
            .all(recordTable(Relation))
            .filter(
              ({ isArchived, record, spaceId }) =>
                !isArchived &&
                ends.spaces.includes(spaceId) &&
                (types === null || types.includes(record.type)) &&
                isEdgeOf(personId, record.userId, spaceId)
            )
            .toSorted((one, other) => newestFirst(one.record, other.record))
          const follow = (node: StepsFrom["nodes"][number], direction: Step["direction"]) => {
            const [here, there] =
              direction === "outgoing"
                ? (["sourceEntityId", "targetEntityId"] as const)
                : (["targetEntityId", "sourceEntityId"] as const)
            return edges
              .filter(({ record, spaceId }) => spaceId === node.spaceId && record[here] === node.id)
              .flatMap(({ record, spaceId }): ReadonlyArray<Step> => {
                const found = entityAt(rows, ends, record[there])
                if (found === undefined || found.spaceId !== spaceId) return []
                const { id, profileSlug, title, userId } = found.entity
                const relation = { relationId: record.id, relationType: record.type, direction, fromId: node.id }
                return [{ ...relation, entityId: id, title, profileSlug, userId, spaceId }]
              })
              .slice(0, limit)
          }
          return Effect.succeed(
            nodes.flatMap((node) =>
              [...follow(node, "outgoing"), ...follow(node, "incoming")].toSorted((one, other) =>
                one.relationId === other.relationId
                  ? one.direction < other.direction
                    ? 1
                    : -1
                  : one.relationId < other.relationId
                    ? 1
                    : -1
              )
            )
          )
        })
    }))
  )
}

const lastEntityFirst = (one: PropertyReference, other: PropertyReference): number =>
  one.entityId === other.entityId ? (one.property < other.property ? -1 : 1) : one.entityId < other.entityId ? 1 : -1
