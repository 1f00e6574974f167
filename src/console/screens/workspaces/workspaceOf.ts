/** The type of a workspace, for the parts of its screen. */
import type { AnswerOf } from "../../api/hub.ts"

export type Workspace = AnswerOf<"GET /api/hub/workspaces/:workspaceId">

export interface WorkspacePartProps {
  readonly workspace: Workspace
}
