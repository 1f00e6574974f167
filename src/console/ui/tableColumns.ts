/** The columns of a table in two forms: the form that a screen declares, and the form for TanStack Table. */
import {
  columnVisibilityFeature,
  createColumnHelper,
  createPaginatedRowModel,
  createSortedRowModel,
  metaHelper,
  type RowData,
  type Row as TableRow,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures
} from "@tanstack/react-table"
import type { ReactNode } from "react"

export interface Column<Row> {
  readonly name: string
  /** The name of the column in addresses and in the storage of the browser. By default it is made from `name`. */
  readonly id?: string
  readonly cell: (row: Row) => ReactNode
  /** True if the values are numbers. Numbers are aligned to the right. */
  readonly isNumber?: boolean
  /** The value by which rows are sorted. Rows without a value come last. Absent if the column cannot be sorted. */
  readonly sortBy?: (row: Row) => string | number | null | undefined
  /** True if a person cannot hide the column, such as the column with the name of the row. */
  readonly isFixed?: boolean
  /** True if the column is hidden until a person chooses it. */
  readonly isExtra?: boolean
}

interface ColumnMeta {
  readonly name: string
  readonly isNumber: boolean
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" })

/** Compares texts in the order that people expect: `Émile` before `Zoe`, and `note 9` before `note 10`. */
const comparedAsRead = <Row extends RowData>(
  one: TableRow<typeof features, Row>,
  other: TableRow<typeof features, Row>,
  columnId: string
): number => {
  const [a, b] = [one.getValue(columnId), other.getValue(columnId)]
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b))
}

export const features = tableFeatures({
  columnVisibilityFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  paginatedRowModel: createPaginatedRowModel(),
  sortedRowModel: createSortedRowModel(),
  columnMeta: metaHelper<ColumnMeta>()
})

export const idOf = <Row>({ id, name }: Column<Row>): string => id ?? name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

/**
 * Makes the column definitions for TanStack Table. `isWhole` is true if all rows of the list are loaded. A person can
 * sort the rows only if `isWhole` is true.
 */
export const definitionsOf = <Row extends RowData>(columns: ReadonlyArray<Column<Row>>, isWhole: boolean) => {
  const helper = createColumnHelper<typeof features, Row>()
  return helper.columns(
    columns.map((column) =>
      helper.accessor((row) => column.sortBy?.(row) ?? undefined, {
        id: idOf(column),
        header: column.name,
        cell: ({ row }) => column.cell(row.original),
        enableHiding: column.isFixed !== true,
        enableSorting: isWhole && column.sortBy !== undefined,
        sortDescFirst: false,
        sortFn: comparedAsRead,
        sortUndefined: "last" as const,
        meta: { name: column.name, isNumber: column.isNumber === true }
      })
    )
  )
}

/** Reads the order of the rows from the address: the id of a column, with `-` in front for the reverse order. */
export const sortingOf = (text: string | undefined): SortingState =>
  text === undefined || text === "" ? [] : [{ id: text.replace(/^-/, ""), desc: text.startsWith("-") }]

export const sortText = ([first]: SortingState): string | undefined =>
  first === undefined ? undefined : `${first.desc ? "-" : ""}${first.id}`
