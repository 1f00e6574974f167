/** The column of a list that says in which workspace a record is. */
import { useNames } from "../../api/useNames.ts"
import type { Column } from "../../ui/tableColumns.ts"

/** Returns no column if the list shows only the records of the chosen workspace. */
export const usePlaceColumn = (
  chosen: string | undefined
): ReadonlyArray<Column<{ readonly workspaceId: string | null }>> => {
  const { workspace } = useNames()
  return chosen === undefined
    ? [
        {
          name: "Workspace",
          // The id is not `workspace`, because a kind can have a property named `workspace`.
          id: "place",
          sortBy: ({ workspaceId }) => workspace(workspaceId),
          cell: ({ workspaceId }) => workspace(workspaceId)
        }
      ]
    : []
}
