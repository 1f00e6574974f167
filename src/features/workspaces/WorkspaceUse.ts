/** The port through which workspaces learn what is in them and who uses it: entities and projects rest on workspaces. */
import { Context, type Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { Workspace } from "./Workspace.ts"

export type Use = Pick<Workspace, "entityCount" | "usedByProjectIds">

export const unused: Use = { entityCount: 0, usedByProjectIds: [] }

export class WorkspaceUse extends Context.Tag("pod/WorkspaceUse")<
  WorkspaceUse,
  {
    /** By space, of those that the caller reaches: what is there, and the projects that the caller reaches. */
    readonly of: (spaceIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Use>, never, Reach>
  }
>() {}
