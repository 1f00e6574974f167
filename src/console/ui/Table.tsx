/**
 * A table of rows, on TanStack Table. On a narrow screen each row is a card with a line for each column, so that no
 * column is cut.
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
  /** Shown instead of the rows if there are none. */
  readonly empty?: ReactNode
  /** Whether the row is open, which means that its details are shown. */
  readonly isChosen?: (row: Row) => boolean
  /**
   * Whether `rows` are the whole list. Only then the columns can be sorted, because a sorted part would show a wrong
   * order of the whole.
   */
  readonly isWhole?: boolean
  /** The order, if the address of the page has it. Without it the table keeps the order itself. */
  readonly sort?: TableSort
  readonly selection?: TableSelection<Row>
  /** Pages of a list that is loaded as a whole. The first page has the number 1. */
  readonly paging?: { readonly page: number; readonly size: number; readonly onPage: (page: number) => void }
  /** The name under which this browser remembers the columns that a person chose. Without it nobody can choose. */
  readonly columnsName?: string
  /** The content above the table, beside the button for the columns. */
  readonly above?: ReactNode
}

const columnsToChoose = 4 // with fewer columns there is nothing to choose

export function Table<Row extends RowData>(props: TableProps<Row>) {
  const { above, columns, columnsName, empty, isWhole = false, keyOf, label, paging, rows, selection, sort } = props
  const isWide = useIsWide()
  const [ownSort, setOwnSort] = useState<string>()
  const [choice, setChoice] = useState(() => (columnsName === undefined ? {} : shownColumns(columnsName)))
  const definitions = useMemo(() => definitionsOf(columns, isWhole), [columns, isWhole])
  const sorting = useMemo(() => {
    const wanted = sortingOf(sort === undefined ? ownSort : sort.by)
    // The address may name a column that this table does not have or cannot sort by.
    return isWhole ? wanted.filter(({ id }) => columns.some((each) => idOf(each) === id && each.sortBy)) : []
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
  const page = Math.min(paging?.page ?? 1, pages) // the list may have become shorter than the number in the address says
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
