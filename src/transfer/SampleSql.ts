/**
 * Removes workspaces that were made from a template, with all their rows. Use it only for sample data, because no
 * history of these workspaces is left.
 */
import type { Owner } from "../platform/Migrations.ts"
import { withWrites } from "./TransferRowsSql.ts"
import { quotedTable, transferTables } from "./TransferTablesSql.ts"

/** Reads the ids of the workspaces that were made from this template and have this workspace type. */
export const workspacesOf = async (
  owner: Owner,
  template: string,
  workspaceType: string
): Promise<ReadonlyArray<string>> => {
  const found = await owner.query(
    "SELECT id::text AS id FROM public.spaces WHERE kind = 'workspace' AND template_id = $1 AND workspace_type = $2",
    [template, workspaceType]
  )
  return found.map((row) => String(row["id"]))
}

/** Removes these workspaces. Returns the number of removed workspaces. Rows of people's own spaces stay. */
export const removeWorkspaces = (owner: Owner, spaces: ReadonlyArray<string>): Promise<number> =>
  withWrites(owner, async () => {
    for (const { columns, name } of await transferTables(owner)) {
      if (!columns.some((column) => column.name === "space_id")) continue
      await owner.query(`DELETE FROM ${quotedTable(name)} WHERE space_id::text = ANY ($1)`, [spaces])
    }
    const gone = await owner.query("DELETE FROM public.spaces WHERE id::text = ANY ($1) RETURNING id", [spaces])
    return gone.length
  })
