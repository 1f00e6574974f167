/**
 * A table of rows, made with TanStack Table. On a narrow screen each row is a card with a line for each column, so that
 * no column is cut off.
 */
import { type RowData, type RowSelectionState, useTable } from "@tanstack/react-table"
import { type ReactNode, useMemo, useState } from "react"
import { useIsWide } from "../shell/useIsWide.ts"
import { ColumnChooser } from "./ColumnChooser.tsx"
import { CountedPager } from "./CountedPager.tsx"
import { rememberColumns, shownColumns } from "./shownColumns.ts"
import { SortSelect } from "./SortSelect.tsx"
import { ChooseAll, TableRows, type TableSelection } from "./TableRows.tsx"
import { type Column, definitionsOf, features, idOf, sortingOf, sortText } from "./tableColumns.ts"

export type { Column } from "./tableColumns.ts"

export interface TableSort {
  /** The id of the column by which the rows are sorted, with `-` in front for the reverse order. */
  readonly by: string | undefined
  readonly onSort: (by: string | undefined) => void
}

interface TableProps<Row> {
  /** The name of the table for screen readers. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  /** The content that replaces the rows if there are none. */
  readonly empty?: ReactNode
  /** True if the details of the row are open. */
  readonly isChosen?: (row: Row) => boolean
  /**
   * True if `rows` are the whole list. A person can sort only a whole list, because a sorted part would show a wrong
   * order.
   */
  readonly isWhole?: boolean
  /** The order of the rows if it is in the address of the page. If absent, the table itself keeps the order. */
  readonly sort?: TableSort
  readonly selection?: TableSelection<Row>
  /** Shows a whole list in pages. The first page has the number 1. */
  readonly paging?: { readonly page: number; readonly size: number; readonly onPage: (page: number) => void }
  /**
   * The name under which this browser remembers the columns that a person chose. If absent, a person cannot choose
   * columns.
   */
  readonly columnsName?: string
  /** The content above the table, beside the button that chooses columns. */
  readonly above?: ReactNode
}

// A table with fewer columns has no button that chooses columns.
const columnsToChoose = 4

export function Table<Row extends RowData>(props: TableProps<Row>) {
  const { above, columns, columnsName, empty, isWhole = false, keyOf, label, paging, rows, selection, sort } = props
  const isWide = useIsWide()
  const [ownSort, setOwnSort] = useState<string>()
  const [choice, setChoice] = useState(() => (columnsName === undefined ? {} : shownColumns(columnsName)))
  const definitions = useMemo(() => definitionsOf(columns, isWhole), [columns, isWhole])
  const sorting = useMemo(() => {
    const requestedSorting = sortingOf(sort === undefined ? ownSort : sort.by)
    // The address can name a column that this table does not have or that it cannot sort.
    return isWhole ? requestedSorting.filter(({ id }) => columns.some((each) => idOf(each) === id && each.sortBy)) : []
  }, [columns, isWhole, ownSort, sort])
  const columnVisibility = useMemo(
    () => ({
      ...Object.fromEntries(columns.filter(({ isExtra }) => isExtra).map((each) => [idOf(each), false])),
      ...choice
    }),
    [choice, columns]
  )
  const rowSelection: RowSelectionState = Object.fromEntries((selection?.selected ?? []).map((key) => [key, true]))
  const size = paging?.size ?? Math.max(rows.length, 1)
  const pages = Math.max(1, Math.ceil(rows.length / size))
  // If the list has become shorter, the page number in the address can be too high.
  const page = Math.min(paging?.page ?? 1, pages)
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: keyOf,
    state: { columnVisibility, pagination: { pageIndex: page - 1, pageSize: size }, rowSelection, sorting },
    autoResetPageIndex: false,
    enableMultiSort: false,
    enableRowSelection: ({ original }) => selection?.canSelect(original) ?? false,
    onColumnVisibilityChange: (next) => {
      const changed = typeof next === "function" ? next(columnVisibility) : next
      setChoice(changed)
      if (columnsName !== undefined) rememberColumns(columnsName, changed)
    },
    onRowSelectionChange: (next) =>
      selection?.onSelect(Object.keys(typeof next === "function" ? next(rowSelection) : next)),
    onSortingChange: (next) => {
      const by = sortText(typeof next === "function" ? next(sorting) : next)
      if (sort === undefined) setOwnSort(by)
      else sort.onSort(by)
    }
  })
  const sortable = table.getAllLeafColumns().filter((column) => column.getCanSort())
  const hasChooser = columnsName !== undefined && columns.length >= columnsToChoose
  const hasSelect = !isWide && sortable.length > 0 && rows.length > 1
  return (
    <div className="grid min-w-0 gap-2">
      {(above !== undefined || hasChooser || hasSelect) && (
        <div className="flex flex-wrap items-center gap-2">
          {above}
          <div className="ml-auto flex flex-wrap items-center gap-2">
            {hasSelect && <SortSelect columns={sortable} sorting={sorting} onSort={table.setSorting} />}
            {hasChooser && (
              <ColumnChooser
                label={label}
                table={table}
                onReset={() => {
                  setChoice({})
                  if (columnsName !== undefined) rememberColumns(columnsName, {})
                }}
              />
            )}
          </div>
        </div>
      )}
      {!isWide && selection !== undefined && rows.length > 1 && (
        <label className="flex min-h-9 items-center gap-2 px-3">
          <ChooseAll table={table} />
          <span aria-hidden>All on this page</span>
        </label>
      )}
      {rows.length === 0 && empty !== undefined ? empty : <TableRows table={table} isWide={isWide} {...props} />}
      {paging !== undefined && (
        <CountedPager page={page} size={size} total={rows.length} hasMore={page < pages} onPage={paging.onPage} />
      )}
    </div>
  )
}
