/** The service of digests of projects and workspaces. A digest counts only the entities that the caller may read. */
import { Context, Effect, Layer } from "effect"
import type { Forbidden, Invalid } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import { Entities } from "../entities/Entities.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { type Digest, digestFrom, type DigestScope, keyEntitiesMax } from "./Digest.ts"

export class Digests extends Context.Tag("pod/Digests")<
  Digests,
  {
    /**
     * Makes the digest of a workspace, or of a project in all spaces. Does not check whether the caller may read the
     * project. Fails with Forbidden for a workspace that the caller cannot reach.
     */
    readonly digestOf: (scope: DigestScope) => Effect.Effect<Digest, Forbidden | Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const entities = yield* Entities
      const workspaces = yield* Workspaces

      return {
        digestOf: Effect.fnUntraced(function* (scope) {
          const { principal } = yield* Reach
          const { items: latest } = yield* readFirst(keyEntitiesMax, (limit) =>
            entities.list({
              ...(scope.kind === "workspace" ? { workspaceId: scope.spaceId } : { projectId: scope.projectId }),
              scope: "all",
              includePodWide: scope.kind === "project",
              limit,
              offset: 0
            })
          )
          const counts = yield* entities.countByKind(
            scope.kind === "workspace" ? { spaces: [scope.spaceId] } : { spaces: null, projectId: scope.projectId }
          )
          // Only the digest of a project names workspaces. It names only workspaces that the caller may list.
          const listed = scope.kind === "project" ? (yield* workspaces.list).workspaces : []
          return digestFrom(
            scope,
            counts,
            latest.map(({ id, profileSlug, title, updatedAt, workspaceId }) => ({
              id,
              title,
              profileSlug,
              workspaceId,
              updatedAt
            })),
            new Map(listed.map(({ id, name }) => [id, name])),
            principal.personId
          )
        })
      }
    })
  )
}
