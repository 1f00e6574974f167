/**
 * The service of orientation. For each list of the answer, it calls the service of the listed records with the rights
 * of the caller.
 */
import { Context, Effect, Layer } from "effect"
import type { Forbidden, Invalid, NotFound } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { Discoveries } from "../discovery/Discoveries.ts"
import { Entities } from "../entities/Entities.ts"
import { People } from "../people/People.ts"
import { Project } from "../projects/Project.ts"
import { Projects } from "../projects/Projects.ts"
import { Proposals } from "../proposals/Proposals.ts"
import { Records } from "../records/Records.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { mapOf, type Orientation, type OrientQuery, type Section, sections } from "./Orientation.ts"

/** The maximum number of items in each list of the answer, by the requested detail. */
const listedMax = { light: 20, full: 100 }

const onboarding = [
  "GET /api/hub/discover?userId=me lists the kinds of entity with their properties.",
  "GET /api/hub/entities?profileSlug={slug} lists the entities of a kind; POST /api/hub/entities creates one.",
  "GET /api/hub/graph/entity/{id} shows the connections of an entity.",
  "A write of an agent may need the approval of a person: then the answer has the status `proposed`.",
  "GET /api/hub/manifest lists every operation and what a caller needs for it."
]

interface ListedItems {
  readonly items: ReadonlyArray<unknown>
  /** The number of all items, including the items that are not in `items`. */
  readonly total: number
}

export class Orientations extends Context.Tag("pod/Orientations")<
  Orientations,
  {
    /**
     * Builds the answer with at most `sizeMax` bytes as JSON. Null means no limit. Fails with Forbidden if the caller
     * cannot access the requested workspace, and with NotFound if the caller cannot access the requested project.
     */
    readonly orient: (
      query: OrientQuery,
      sizeMax: number | null
    ) => Effect.Effect<Orientation, Forbidden | Invalid | NotFound, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const discoveries = yield* Discoveries
      const entities = yield* Entities
      const people = yield* People
      const projects = yield* Projects
      const proposals = yield* Proposals
      const records = yield* Records
      const workspaces = yield* Workspaces

      const listing: Readonly<
        Record<
          Section,
          (query: OrientQuery, limit: number) => Effect.Effect<ListedItems, Forbidden | Invalid | NotFound, Reach>
        >
      > = {
        workspaces: Effect.fnUntraced(function* ({ workspaceId }, limit) {
          const { bounds } = yield* Reach
          const { spaces } = bounds("workspace", "read")
          const found = (yield* workspaces.list).workspaces.filter(
            ({ id }) => spaces.includes(id) && (workspaceId === undefined || id === workspaceId)
          )
          const items = found
            .slice(0, limit)
            .map(({ entityCount, id, name, role }) => ({ id, name, role, entityCount }))
          return { items, total: found.length }
        }),
        projects: Effect.fnUntraced(function* ({ projectId, workspaceId }, limit) {
          const where = projectId === undefined ? {} : { id: projectId }
          const spaces = workspaceId === undefined ? null : [workspaceId]
          const { items } = yield* records.list(Project, { where, spaces, limit })
          return {
            items: items.map(({ id, name, status, workspaceId: at }) => ({ id, name, status, workspaceId: at })),
            total: yield* records.count(Project, { where, spaces })
          }
        }),
        profiles: ({ workspaceId }, limit) =>
          Effect.map(discoveries.listUsed(workspaceId), (found) => ({
            items: found
              .slice(0, limit)
              .map(({ entityCount, profile }) => ({ slug: profile.slug, name: profile.displayName, entityCount })),
            total: found.length
          })),
        news: ({ projectId, workspaceId }, limit) =>
          Effect.map(
            entities.list({
              workspaceId,
              projectId,
              scope: workspaceId === undefined ? "all" : "workspace",
              includePodWide: workspaceId === undefined,
              limit,
              offset: 0
            }),
            ({ items }) => ({
              items: items.map(({ id, profileSlug, title, updatedAt, workspaceId: at }) => ({
                id,
                title,
                profileSlug,
                workspaceId: at,
                updatedAt
              })),
              total: items.length
            })
          ),
        waiting: ({ workspaceId }, limit) =>
          Effect.map(
            proposals.list({ workspaceId, status: "pending", limit, offset: 0, view: "basic" }),
            ({ items, total }) => ({
              items: items.map(({ createdAt, id, summary, workspaceId: at }) => ({
                id,
                summary,
                workspaceId: at,
                createdAt
              })),
              total
            })
          )
      }

      return {
        orient: Effect.fnUntraced(function* (query, sizeMax) {
          const { detail, projectId, scope, workspaceId } = query
          if (workspaceId !== undefined) yield* requestedSpace(workspaceId)
          if (projectId !== undefined) yield* projects.get(projectId)
          const { agentId, id, name, scopes } = yield* people.me
          const named = sections.filter((section) => scope === undefined || scope.includes(section))
          const found = yield* Effect.forEach(named, (section) =>
            Effect.map(listing[section](query, listedMax[detail]), (listed) => ({ section, ...listed }))
          )
          const shortenedLists = found.filter(({ items, total }) => total > items.length)
          return mapOf(
            {
              identity: { id, name, agentId, scopes },
              lists: Object.fromEntries(found.map(({ items, section }) => [section, items])),
              leftOut: Object.fromEntries(
                shortenedLists.map(({ items, section, total }) => [section, total - items.length])
              ),
              ...(detail === "full" ? { onboarding } : {})
            },
            sizeMax
          )
        })
      }
    })
  )
}
