/** The table of workspaces in memory. Also decides which workspaces a call can use. */
import type { DateTime } from "effect"
import type { Principal } from "../../doors/Principal.ts"
import type { Bounds } from "../../doors/Reach.ts"
import type { Revocations } from "../../doors/Revocations.ts"
import { memoryTable, type WritableRows } from "../../platform/MemoryDatabase.ts"
import { advanceEpoch, membershipTable } from "../people/UserTables.ts"
import { endMembership } from "./EndedMembership.ts"
import type { NewWorkspace, ProvisioningStatus } from "./Workspace.ts"
import type { WorkspaceSettings } from "./WorkspaceSettings.ts"

/** A workspace in memory. Its policy is in another table. */
export interface StoredWorkspace extends Required<Omit<NewWorkspace, "governance">> {
  readonly ownerId: string
  readonly description: string | null
  readonly settings: WorkspaceSettings
  readonly version: number
  readonly provisioningStatus: ProvisioningStatus
  readonly failure: { readonly step: string; readonly why: string } | null
  readonly isArchived: boolean
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

export const workspaceTable = memoryTable<StoredWorkspace>("spaces", ({ id }) => id)

/** Returns true if a workspace is not archived and is among the rows that `bounds` allows. */
export const isWorkspaceWithin = ({ objects, spaces }: Bounds, { id, isArchived }: StoredWorkspace): boolean =>
  !isArchived && spaces.includes(id) && (objects === null || objects.includes(id))

/**
 * Removes the members of a workspace and ends their running calls. For the person who makes this call, ends only the
 * calls with the credential of this call.
 */
export const removeMembers = (
  rows: WritableRows,
  workspaceId: string,
  { credential, personId }: Principal,
  { end }: Revocations["Type"]
): void => {
  for (const { spaceId, userId } of rows.all(membershipTable)) {
    if (spaceId !== workspaceId) continue
    endMembership(rows, { userId, spaceId })
    advanceEpoch(rows, userId)
    end(userId === personId ? credential.id : userId)
  }
}
