/** Finds the public part of a workspace. A call to this store may touch only this workspace. */
import { Context, Effect, Layer } from "effect"
import { emptyBounds, type Reach } from "../../doors/Reach.ts"
import { latestFirst } from "../../doors/RowOrder.ts"
import { entitiesWithin } from "../entities/EntityTable.ts"
import { Facet } from "../facets/Facet.ts"
import { memoryStatements } from "../events/EventTable.ts"
import { readRecords } from "../records/RecordTable.ts"
import type { PublicProjection } from "../workspaces/WorkspaceSettings.ts"
import { workspaceTable } from "../workspaces/WorkspaceTable.ts"
import {
  type ProjectedEntity,
  publicItemOf,
  matchesSearch,
  type ProjectionQuery,
  publicOfRoleMax,
  requestedRoles
} from "./Projection.ts"

/** The settings for the public part of a workspace, and its public entities. */
export interface ProjectionRows {
  readonly config: PublicProjection
  readonly entities: ReadonlyArray<ProjectedEntity>
}

export class ProjectionStore extends Context.Tag("pod/ProjectionStore")<
  ProjectionStore,
  {
    /**
     * Finds the public entities of a workspace, latest change first. For each role it looks at `publicOfRoleMax`
     * entities. Returns null for a workspace without public data,
     * a missing workspace and a person's own space. The store does the same work in all three cases, so a caller cannot
     * distinguish them. Searches for the text `q` only in public fields.
     */
    readonly read: (query: ProjectionQuery) => Effect.Effect<ProjectionRows | null, never, Reach>
    /**
     * Finds the entities that would be public with this configuration. Returns null for a missing workspace and a
     * person's own space.
     */
    readonly preview: (
      config: PublicProjection,
      query: ProjectionQuery
    ) => Effect.Effect<ProjectionRows | null, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => {
      const found = (draft: PublicProjection | null, { limit, q, role, workspace }: ProjectionQuery) =>
        read(({ reach, rows }) => {
          const { spaces } = reach.bounds("workspace", "read")
          const space = spaces.includes(workspace) ? rows.find(workspaceTable, workspace) : undefined
          const config = draft ?? space?.settings.publicProjection ?? null
          if (space === undefined || space.isArchived || config?.enabled !== true) return Effect.succeed(null)
          const requested = requestedRoles(config, role)
          const facets = readRecords(rows, reach, Facet, [workspace]).toSorted(latestFirst)
          const entities = entitiesWithin(rows, { ...emptyBounds, spaces: [workspace] })
            .map(({ entity }) => entity)
            .toSorted(latestFirst)
          const listed = new Set(
            requested.flatMap((slug) => [
              ...entities
                .filter(({ profileSlug }) => profileSlug === slug)
                .slice(0, publicOfRoleMax)
                .map(({ id }) => id),
              ...facets
                .filter((facet) => facet.slug === slug)
                .slice(0, publicOfRoleMax)
                .map(({ entityId }) => entityId)
            ])
          )
          const found = entities
            .filter(({ id }) => listed.has(id))
            .map(({ id, profileSlug, properties, title }) => {
              const played = facets.filter(({ entityId }) => entityId === id).map(({ slug }) => slug)
              return { id, title, roles: [profileSlug, ...played.toSorted()], properties }
            })
            .filter((entity) => matchesSearch(publicItemOf(config, role, entity), q))
          return Effect.succeed({ config, entities: found.slice(0, limit) })
        })
      return { read: (query) => found(null, query), preview: found }
    })
  )
}
