/** The service of the public part of workspaces. It also serves requests without a credential. */
import { Context, Effect, Layer } from "effect"
import { type Forbidden, NotFound } from "../../doors/Failure.ts"
import { Reach, systemReach } from "../../doors/Reach.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { type PreviewedProjection, publicItemOf, type ProjectionQuery, type PublicFeed } from "./Projection.ts"
import { ProjectionStore } from "./ProjectionStore.ts"

/** The person id for public reads. No person has this id, so a public read has no rights from memberships. */
const noPersonId = "00000000-0000-0000-0000-000000000000"

/**
 * The failure for a workspace without public data, a missing workspace, and a person's own space. It is the same in all
 * three cases.
 */
const nothingPublic = new NotFound({ why: "The workspace does not exist or has no public content." })

export class Projections extends Context.Tag("pod/Projections")<
  Projections,
  {
    readonly feed: (query: ProjectionQuery) => Effect.Effect<PublicFeed, NotFound, Reach>
    /**
     * Returns what the pod would publish of a workspace with these public roles and fields. Stores nothing. Fails with
     * Forbidden if the caller is not a member of the workspace.
     */
    readonly preview: (draft: PreviewedProjection) => Effect.Effect<PublicFeed, Forbidden | NotFound, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(ProjectionStore, (store) => {
      const shown = Effect.fnUntraced(function* (query: ProjectionQuery, read: ReturnType<typeof store.read>) {
        const { origin } = yield* Reach
        const reach = systemReach("public projection", noPersonId, [query.workspace], origin)
        const found = yield* Effect.provideService(read, Reach, reach)
        if (found === null) return yield* nothingPublic
        const items = found.entities.map((entity) => publicItemOf(found.config, query.role, entity))
        return { items, count: items.length }
      })
      return {
        feed: (query) => shown(query, store.read(query)),
        preview: Effect.fnUntraced(function* ({ fields, limit, roles, workspaceId }) {
          const query = { workspace: yield* requestedSpace(workspaceId), limit }
          return yield* shown(query, store.preview({ enabled: true, roles, fields }, query))
        })
      }
    })
  )
}
