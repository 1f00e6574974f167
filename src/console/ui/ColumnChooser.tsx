/** The button with which a person chooses the columns of a table, and its dialog. */
import type { ReactTable, RowData } from "@tanstack/react-table"
import { useState } from "react"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { CheckField } from "./Field.tsx"
import type { features } from "./tableColumns.ts"

interface ColumnChooserProps<Row extends RowData> {
  /** The name of the table for screen readers. */
  readonly label: string
  readonly table: ReactTable<typeof features, Row>
  /** Called if the person wants the default columns again. */
  readonly onReset: () => void
}

export function ColumnChooser<Row extends RowData>({ label, onReset, table }: ColumnChooserProps<Row>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="quiet" aria-label={`Columns of ${label}`} onClick={() => setOpen(true)}>
        Columns
      </Button>
      <Dialog title={`Columns of ${label}`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className="text-muted">This browser remembers them.</p>
        <div className="grid gap-2">
          {table.getAllLeafColumns().map((column) => (
            <CheckField
              key={column.id}
              label={column.columnDef.meta?.name ?? column.id}
              disabled={!column.getCanHide()}
              checked={column.getIsVisible()}
              onChange={column.getToggleVisibilityHandler()}
            />
          ))}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" onClick={() => setOpen(false)}>
            Done
          </Button>
          <Button onClick={onReset}>Default columns</Button>
        </div>
      </Dialog>
    </>
  )
}
