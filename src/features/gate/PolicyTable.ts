/** The in-memory table with the policy of each workspace for agents' writes. */
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import type { WorkspacePolicy } from "./Policy.ts"

export const workspacePolicyTable = memoryTable<{ readonly spaceId: string; readonly policy: WorkspacePolicy }>(
  "workspace_policies",
  ({ spaceId }) => spaceId
)
