/** The rows of a table with their headers and checkboxes. On a narrow screen each row is a card. */
import type { Header, ReactTable, RowData } from "@tanstack/react-table"
import type { features } from "./tableColumns.ts"

export interface TableSelection<Row> {
  /** The ids of the selected rows. */
  readonly selected: ReadonlyArray<string>
  readonly onSelect: (keys: ReadonlyArray<string>) => void
  /** The name of a row for screen readers. It follows the word "Select". */
  readonly nameOf: (row: Row) => string
  readonly canSelect: (row: Row) => boolean
}

interface TableRowsProps<Row extends RowData> {
  /** The name of the table for screen readers. */
  readonly label: string
  readonly table: Instance<Row>
  readonly isWide: boolean
  readonly isChosen?: (row: Row) => boolean
  readonly selection?: TableSelection<Row>
}

type Instance<Row extends RowData> = ReactTable<typeof features, Row>

const marks = { asc: "▲", desc: "▼", none: "↕" } as const
const ariaSorts = { asc: "ascending", desc: "descending", none: "none" } as const

// On a card, the first cell is the title of the card, without the name of its column.
const titleClass = "px-3 py-2 max-md:p-0 max-md:font-medium"

const cellClass =
  "max-md:before:text-muted px-3 py-2 max-md:grid max-md:has-[>div:empty]:hidden max-md:grid-cols-[6.5rem_minmax(0,1fr)] max-md:items-baseline max-md:gap-2 max-md:p-0 max-md:before:content-[attr(data-column)]"

const checkClass = "size-5 accent-[var(--accent)] align-middle"

function HeaderCell<Row extends RowData>({
  header,
  isWide
}: {
  readonly header: Header<typeof features, Row>
  readonly isWide: boolean
}) {
  const { column } = header
  const { isNumber = false, name = "" } = column.columnDef.meta ?? {}
  const order = column.getIsSorted() || "none"
  return (
    <th
      role="columnheader"
      scope="col"
      className={`px-3 py-2 font-medium ${isNumber ? "text-right" : ""}`}
      {...(column.getCanSort() ? { "aria-sort": ariaSorts[order] } : {})}
    >
      {/* On a narrow screen, only screen readers get the headers. A select above the cards sorts the rows. */}
      {isWide && column.getCanSort() ? (
        <button
          type="button"
          className={`hover:text-text group -mx-1 inline-flex min-h-6 items-center gap-1 rounded px-1 text-inherit ${isNumber ? "text-right" : "text-left"}`}
          onClick={column.getToggleSortingHandler()}
        >
          {name}
          <span
            aria-hidden
            className={order === "none" ? "text-[0.6875rem] group-hover:text-text" : "text-text text-[0.6875rem]"}
          >
            {marks[order]}
          </span>
        </button>
      ) : (
        name
      )}
    </th>
  )
}

/** The checkbox that selects all rows of the page. */
export function ChooseAll<Row extends RowData>({ table }: { readonly table: Instance<Row> }) {
  const [isAll, isSome] = [table.getIsAllPageRowsSelected(), table.getIsSomePageRowsSelected()]
  return (
    <input
      type="checkbox"
      className={checkClass}
      aria-label="Select all on this page"
      checked={isAll}
      ref={(box) => {
        if (box !== null) box.indeterminate = isSome && !isAll
      }}
      onChange={table.getToggleAllPageRowsSelectedHandler()}
    />
  )
}

/** Shows the rows as a table, or as cards on a narrow screen. */
export function TableRows<Row extends RowData>({ isChosen, isWide, label, selection, table }: TableRowsProps<Row>) {
  return (
    // A keyboard user must be able to focus a region that scrolls.
    <div
      tabIndex={0}
      role="region"
      aria-label={label}
      className="border-line bg-panel min-w-0 overflow-x-auto rounded-lg border"
    >
      {/* The ARIA roles are stated here, because a browser drops them when the table is shown as cards. */}
      <table role="table" className="w-full border-collapse text-left wrap-break-word max-md:block">
        <thead role="rowgroup" className="max-md:sr-only">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} role="row" className="border-line text-muted border-b">
              {selection !== undefined && (
                <th role="columnheader" scope="col" className="px-3 py-2">
                  {isWide ? <ChooseAll table={table} /> : "Select"}
                </th>
              )}
              {group.headers.map((header) => (
                <HeaderCell key={header.id} header={header} isWide={isWide} />
              ))}
            </tr>
          ))}
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {table.getRowModel().rows.map((row) => (
            <tr
              key={row.id}
              role="row"
              className={`border-line border-b align-baseline last:border-b-0 hover:bg-page max-md:grid max-md:gap-x-2 max-md:gap-y-1 max-md:p-3 ${selection === undefined ? "" : "max-md:grid-cols-[auto_minmax(0,1fr)]"} ${isChosen?.(row.original) === true || row.getIsSelected() ? "bg-chosen" : ""}`}
            >
              {selection !== undefined && (
                <td role="cell" className="px-3 py-2 max-md:p-0">
                  <div className="min-w-0">
                    <input
                      type="checkbox"
                      className={checkClass}
                      aria-label={`Select ${selection.nameOf(row.original)}`}
                      disabled={!row.getCanSelect()}
                      checked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  </div>
                </td>
              )}
              {row.getVisibleCells().map((cell, at) => {
                const { isNumber = false, name } = cell.column.columnDef.meta ?? {}
                return (
                  <td
                    key={cell.id}
                    role="cell"
                    data-column={name}
                    className={`${at === 0 ? titleClass : `${cellClass} ${selection === undefined ? "" : "max-md:col-span-2"}`} ${isNumber ? "tabular-nums md:text-right" : ""}`}
                  >
                    {/* This box holds the whole content, so that the content stays in one column of the card. */}
                    <div className="min-w-0">
                      <table.FlexRender cell={cell} />
                    </div>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
