/** The type of a workspace. The parts of the workspace screen share it. */
import type { AnswerOf } from "../../api/hub.ts"

export type Workspace = AnswerOf<"GET /api/hub/workspaces/:workspaceId">

export interface WorkspacePartProps {
  readonly workspace: Workspace
}
