/** A workspace as its parts get it. */
import type { AnswerOf } from "../../api/hub.ts"

export type Workspace = AnswerOf<"GET /api/hub/workspaces/:workspaceId">

export interface WorkspacePartProps {
  readonly workspace: Workspace
}
