/**
 * The port through which workspaces get their numbers of entities and projects, because those features depend on
 * workspaces and not the reverse.
 */
import { Context, type Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { Workspace } from "./Workspace.ts"

export type WorkspaceUseCounts = Pick<Workspace, "entityCount" | "usedByProjectIds">

export const noUse: WorkspaceUseCounts = { entityCount: 0, usedByProjectIds: [] }

export class WorkspaceUse extends Context.Tag("pod/WorkspaceUse")<
  WorkspaceUse,
  {
    /** For each space that the caller can reach: the number of entities, up to `countedMost`, and the projects that the caller can reach. */
    readonly of: (
      spaceIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, WorkspaceUseCounts>, never, Reach>
  }
>() {}
