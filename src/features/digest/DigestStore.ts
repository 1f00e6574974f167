/** The store that counts entities for digests. It counts only entities that the caller may read. */
import { Context, Effect, Layer } from "effect"
import { countedMost } from "../../doors/Page.ts"
import { inSpaces, type Reach } from "../../doors/Reach.ts"
import { entitiesWithin, isFiled } from "../entities/EntityTable.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { DigestScope, KindCount } from "./Digest.ts"

export class DigestStore extends Context.Tag("pod/DigestStore")<
  DigestStore,
  {
    /**
     * The number of entities of a workspace by kind, each up to `countedMost`; or of the first `countedMost` entities of a
     * project by space and kind.
     */
    readonly counts: (scope: DigestScope) => Effect.Effect<ReadonlyArray<KindCount>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => ({
      counts: (scope) =>
        read(({ reach, rows }) => {
          const readable = reach.bounds("entity", "read")
          const found = entitiesWithin(
            rows,
            scope.kind === "workspace" ? inSpaces(readable, [scope.spaceId]) : readable
          )
          const totals = new Map<string, KindCount>()
          for (const { entity, spaceId } of found) {
            if (scope.kind === "project" && !isFiled(rows, entity.id, scope.projectId)) continue
            const key = `${spaceId} ${entity.profileSlug}`
            totals.set(key, {
              spaceId,
              kind: entity.profileSlug,
              total: Math.min((totals.get(key)?.total ?? 0) + 1, countedMost)
            })
          }
          return Effect.succeed([...totals.values()])
        })
    }))
  )
}
