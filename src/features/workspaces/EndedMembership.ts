/** Ends a membership in memory. In SQL, the database triggers of memberships do what this function does. */
import type { WritableRows } from "../../platform/MemoryDatabase.ts"
import { membershipKey, membershipTable, type StoredMembership } from "../people/UserTables.ts"
import { shareKey, shareTable } from "../vault/VaultTable.ts"

/** Removes the membership, and the shares of vault entries that are valid only with this membership. */
export const endMembership = (
  rows: WritableRows,
  { spaceId, userId }: Pick<StoredMembership, "spaceId" | "userId">
): void => {
  rows.remove(membershipTable, membershipKey({ userId, spaceId }))
  for (const share of rows.all(shareTable)) {
    const isOf = share.personId === userId || share.ownerId === userId
    if (isOf && share.workspaceId === spaceId) rows.remove(shareTable, shareKey(share))
  }
}
