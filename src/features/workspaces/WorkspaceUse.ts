/**
 * The interface through which workspaces get their numbers of entities and projects. Workspaces cannot import the
 * features for entities and projects, because these features depend on workspaces.
 */
import { Context, type Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { Workspace } from "./Workspace.ts"

export type WorkspaceUseCounts = Pick<Workspace, "entityCount" | "usedByProjectIds" | "isUsedByMore">

export const noUse: WorkspaceUseCounts = { entityCount: 0, usedByProjectIds: [] }

/** The maximum number of projects whose ids a workspace lists. */
export const projectsNamedMax = 200

/** Returns the first `limit` of these ids, and whether there are more ids. */
export const cutProjects = (
  ids: ReadonlyArray<string>,
  limit: number
): Pick<Workspace, "usedByProjectIds" | "isUsedByMore"> => ({
  usedByProjectIds: ids.slice(0, limit),
  ...(ids.length > limit ? { isUsedByMore: true } : {})
})

export class WorkspaceUse extends Context.Tag("pod/WorkspaceUse")<
  WorkspaceUse,
  {
    /**
     * Counts the records in each space that the caller can access. The result has the number of entities (counted up to
     * `countedMax`) and the ids of at most `projectsMax` projects.
     */
    readonly of: (
      spaceIds: ReadonlyArray<string>,
      projectsMax: number
    ) => Effect.Effect<ReadonlyMap<string, WorkspaceUseCounts>, never, Reach>
  }
>() {}
