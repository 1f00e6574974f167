/** The selection in a list that is not a table, with the logic of TanStack Table. */
import { type ReactTable, type RowData, rowSelectionFeature, tableFeatures, useTable } from "@tanstack/react-table"

const features = tableFeatures({ rowSelectionFeature })
const noColumns: [] = []

export type Selection<Row extends RowData> = ReactTable<typeof features, Row>

/**
 * Selects rows. A click with Shift also selects all rows since the last click. `keyOf` must be the same function in
 * each render.
 */
export const useSelection = <Row extends RowData>(
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => string
): Selection<Row> => useTable({ features, columns: noColumns, data: rows, getRowId: keyOf })
