/** Removes workspaces of a template with all their rows: for sample data, which nobody needs a history of. */
import type { Owner } from "../platform/Migrations.ts"
import { withWrites } from "./TransferRowsSql.ts"
import { quotedTable, transferTables } from "./TransferTablesSql.ts"

/** Returns how many workspaces were removed. Rows of people's own spaces stay. */
export const removeWorkspacesOf = (owner: Owner, template: string, workspaceType: string): Promise<number> =>
  withWrites(owner, async () => {
    const found = await owner.query(
      "SELECT id::text AS id FROM public.spaces WHERE kind = 'workspace' AND template_id = $1 AND workspace_type = $2",
      [template, workspaceType]
    )
    const spaces = found.map((row) => String(row["id"]))
    for (const { columns, name } of await transferTables(owner)) {
      if (!columns.some((column) => column.name === "space_id")) continue
      await owner.query(`DELETE FROM ${quotedTable(name)} WHERE space_id::text = ANY ($1)`, [spaces])
    }
    await owner.query("DELETE FROM public.spaces WHERE id::text = ANY ($1)", [spaces])
    return spaces.length
  })
