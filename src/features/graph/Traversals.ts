/**
 * Follows the relations from an entity, breadth first. Does not show entities that the caller may not read, and does
 * not follow relations of such entities.
 */
import { Context, Effect, Layer } from "effect"
import { spaceOf, workspaceIdOf } from "../../doors/OwnSpace.ts"
import type { Reach } from "../../doors/Reach.ts"
import { Entities } from "../entities/Entities.ts"
import { depthMax, type TraversedEntity, type TraverseQuery } from "./GraphNode.ts"
import { GraphStore } from "./GraphStore.ts"

// the maximum number of relations of one entity in one direction; for 300 entities, this is 30,000 index rows
const fanOutMax = 50

export class Traversals extends Context.Tag("pod/Traversals")<
  Traversals,
  {
    /**
     * Returns the entities within `maxDepth` relations of the start, nearest first, each once. Returns no entities if
     * the start has no relations or the caller cannot read the start. If the traversal reached a limit, the last row
     * says so.
     */
    readonly walk: (query: TraverseQuery) => Effect.Effect<ReadonlyArray<TraversedEntity>, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const entities = yield* Entities
      const store = yield* GraphStore

      return {
        walk: Effect.fnUntraced(function* ({ limit, maxDepth, relationshipTypes, startEntityId }) {
          const start = yield* Effect.option(entities.get(startEntityId))
          if (start._tag === "None") return []
          const { id } = start.value
          const paths = new Map<string, ReadonlyArray<string>>([[id, []]])
          const reached: Array<TraversedEntity> = []
          let isCut = false
          let frontier = [{ id, spaceId: spaceOf(start.value) }]
          for (let depth = 1; depth <= Math.min(maxDepth, depthMax) && frontier.length > 0 && !isCut; depth += 1) {
            const types = relationshipTypes ?? null
            // The store reads one relation more than the limit. This additional relation shows that the entity has more
            // relations than the limit.
            const steps = yield* store.steps({ nodes: frontier, types, most: fanOutMax + 1 })
            const followed = new Map<string, number>()
            const next: typeof frontier = []
            for (const step of steps) {
              const way = `${step.fromId} ${step.direction}`
              const count = (followed.get(way) ?? 0) + 1
              followed.set(way, count)
              if (count > fanOutMax) isCut = true
              if (count > fanOutMax || paths.has(step.entityId)) continue
              if (reached.length === limit) {
                isCut = true
                break
              }
              const via = [...(paths.get(step.fromId) ?? []), step.fromId]
              paths.set(step.entityId, via)
              next.push({ id: step.entityId, spaceId: step.spaceId })
              reached.push({
                entityId: step.entityId,
                depth,
                title: step.title,
                entityType: step.profileSlug,
                workspaceId: workspaceIdOf(step.spaceId, step.userId),
                relationId: step.relationId,
                relationType: step.relationType,
                direction: step.direction,
                via
              })
            }
            frontier = next
          }
          const last = reached.length - 1
          return isCut ? reached.map((row, at) => (at === last ? { ...row, truncated: true as const } : row)) : reached
        })
      }
    })
  )
}
