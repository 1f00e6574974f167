/** The service of the public part of workspaces. It also serves requests without a credential. */
import { Context, Effect, Layer } from "effect"
import { NotFound } from "../../doors/Failure.ts"
import { Reach, systemReach } from "../../doors/Reach.ts"
import { publicItemOf, type ProjectionQuery, type PublicFeed } from "./Projection.ts"
import { ProjectionStore } from "./ProjectionStore.ts"

/** The person id in the reach for public reads. No person has this id, so no membership gives access. */
const nobodyId = "00000000-0000-0000-0000-000000000000"

/** The answer is the same for a workspace without public data, a missing workspace, and a person's own space. */
const nothingPublic = new NotFound({ why: "The workspace does not exist or has no public content." })

export class Projections extends Context.Tag("pod/Projections")<
  Projections,
  { readonly feed: (query: ProjectionQuery) => Effect.Effect<PublicFeed, NotFound, Reach> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(ProjectionStore, (store) => ({
      feed: Effect.fnUntraced(function* (query) {
        const { origin } = yield* Reach
        const reach = systemReach("public projection", nobodyId, [query.workspace], origin)
        const found = yield* Effect.provideService(store.read(query), Reach, reach)
        if (found === null) return yield* nothingPublic
        const items = found.entities.map((entity) => publicItemOf(found.config, query.role, entity))
        return { items, count: items.length }
      })
    }))
  )
}
