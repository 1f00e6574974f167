/**
 * The field in which a person chooses the order of a table on a narrow screen, where the rows are cards without column
 * headers.
 */
import type { Column, RowData, SortingState } from "@tanstack/react-table"
import { inputClass } from "./Field.tsx"
import { type features, sortingOf, sortText } from "./tableColumns.ts"

interface SortSelectProps<Row extends RowData> {
  readonly columns: ReadonlyArray<Column<typeof features, Row>>
  readonly sorting: SortingState
  readonly onSort: (sorting: SortingState) => void
}

export function SortSelect<Row extends RowData>({ columns, onSort, sorting }: SortSelectProps<Row>) {
  return (
    <label className="flex items-center gap-2">
      <span className="text-muted whitespace-nowrap">Sort by</span>
      <select
        className={inputClass}
        value={sortText(sorting) ?? ""}
        onChange={({ target }) => onSort(sortingOf(target.value))}
      >
        <option value="">As listed</option>
        {columns.flatMap(({ columnDef, id }) => {
          const name = columnDef.meta?.name ?? id
          return [
            <option key={id} value={id}>
              {name}, ascending
            </option>,
            <option key={`-${id}`} value={`-${id}`}>
              {name}, descending
            </option>
          ]
        })}
      </select>
    </label>
  )
}
