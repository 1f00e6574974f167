/** What digests need counted. Bounded by the call's Reach: nobody learns a count of what they may not read. */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { EntityStore } from "../entities/EntityStore.ts"
import type { DigestScope, KindCount } from "./Digest.ts"

export class DigestStore extends Context.Tag("pod/DigestStore")<
  DigestStore,
  {
    /** The entities of a workspace, or of a project wherever they live, by space and kind. */
    readonly counts: (scope: DigestScope) => Effect.Effect<ReadonlyArray<KindCount>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(EntityStore, (entities) => ({
      counts: (scope) =>
        Effect.map(
          entities.list(
            {
              kind: undefined,
              projectId: scope.kind === "project" ? scope.projectId : undefined,
              search: undefined,
              limit: Number.MAX_SAFE_INTEGER,
              offset: 0
            },
            scope.kind === "workspace" ? [scope.spaceId] : null
          ),
          ({ items }) => {
            const totals = new Map<string, KindCount>()
            for (const { profileSlug, userId, workspaceId } of items) {
              const spaceId = workspaceId ?? userId
              const key = `${spaceId} ${profileSlug}`
              totals.set(key, { spaceId, kind: profileSlug, total: (totals.get(key)?.total ?? 0) + 1 })
            }
            return [...totals.values()]
          }
        )
    }))
  )
}
