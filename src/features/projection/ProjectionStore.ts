/** What is found for the public of one workspace, within a reach that is that workspace and nothing else. */
import { Context, Effect, Layer, Ref } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { Facet } from "../entities/facets/Facet.ts"
import { EntityStore } from "../entities/EntityStore.ts"
import { Records } from "../records/Records.ts"
import type { PublicProjection } from "../workspaces/WorkspaceSettings.ts"
import { MemoryWorkspaces } from "../workspaces/WorkspaceStore.ts"
import { type FoundEntity, itemOf, mentions, type ProjectionQuery, rolesAsked } from "./Projection.ts"

/** What a workspace lets out, and the entities it is about. */
export interface Found {
  readonly config: PublicProjection
  readonly entities: ReadonlyArray<FoundEntity>
}

const everything = 100_000 // rows; the twin looks through all there are

export class ProjectionStore extends Context.Tag("pod/ProjectionStore")<
  ProjectionStore,
  {
    /**
     * Latest change first. Null, and found in the same way, for a workspace that lets nothing out, one that is not
     * there, and a person's own space. `q` is looked for in what is public alone.
     */
    readonly read: (query: ProjectionQuery) => Effect.Effect<Found | null, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { kept } = yield* MemoryWorkspaces
      const store = yield* EntityStore
      const records = yield* Records
      return {
        read: ({ limit, q, role, workspace }) =>
          Effect.gen(function* () {
            const { bounds } = yield* Reach
            const { spaces } = bounds("workspace", "read")
            const space = (yield* Ref.get(kept)).find(({ id }) => id === workspace && spaces.includes(id))
            const config = space?.settings.publicProjection ?? null
            if (space === undefined || space.isArchived || config?.enabled !== true) return null
            const filter = { kind: undefined, projectId: undefined, search: undefined, limit: everything, offset: 0 }
            const { items: facets } = yield* records.list(Facet, { spaces: [workspace], limit: everything })
            const entities = (yield* store.list(filter, [workspace])).items
              .map(({ id, profileSlug, properties, title }) => {
                const played = facets.filter(({ entityId }) => entityId === id).map(({ slug }) => slug)
                return { id, title, roles: [profileSlug, ...played], properties }
              })
              .filter(({ roles }) => rolesAsked(config, role).some((wanted) => roles.includes(wanted)))
              .filter((found) => mentions(itemOf(config, role, found), q))
            return { config, entities: entities.slice(0, limit) }
          })
      }
    })
  )
}
