/** A table of rows. On a narrow screen each row is a card with a line for each column, so that no column is cut. */
import type { ReactNode } from "react"

export interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** Whether the values are numbers; numbers are aligned to the right. */
  readonly isNumber?: boolean
}

interface TableProps<Row> {
  /** The name of the table for screen readers. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  /** Whether the row is chosen, such as the one whose details are open. */
  readonly isChosen?: (row: Row) => boolean
}

export function Table<Row>({ label, columns, rows, keyOf, isChosen }: TableProps<Row>) {
  return (
    // A region that scrolls must be reachable by keyboard.
    <div
      tabIndex={0}
      role="region"
      aria-label={label}
      className="border-line bg-panel min-w-0 overflow-x-auto rounded-lg border"
    >
      {/* The ARIA roles are written out, because a browser drops them when the table is shown as cards. */}
      <table role="table" className="w-full border-collapse text-left wrap-break-word max-md:block">
        <thead role="rowgroup" className="max-md:sr-only">
          <tr role="row" className="border-line text-muted border-b">
            {columns.map(({ name, isNumber }) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                className={`px-3 py-2 font-medium ${isNumber === true ? "text-right" : ""}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              role="row"
              className={`border-line border-b align-baseline last:border-b-0 max-md:grid max-md:gap-1 max-md:p-3 ${isChosen?.(row) === true ? "bg-accent-soft" : ""}`}
            >
              {columns.map(({ cell, name, isNumber }) => (
                <td
                  key={name}
                  role="cell"
                  data-column={name}
                  className={`max-md:before:text-muted px-3 py-2 max-md:grid max-md:has-[>div:empty]:hidden max-md:grid-cols-[6.5rem_minmax(0,1fr)] max-md:items-baseline max-md:gap-2 max-md:p-0 max-md:before:content-[attr(data-column)] ${isNumber === true ? "tabular-nums md:text-right" : ""}`}
                >
                  {/* One box for the whole content, so that it stays in one column of the card. */}
                  <div className="min-w-0">{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
