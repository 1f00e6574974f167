/** A table of rows. On a narrow screen it scrolls inside itself, never the page. */
import type { CSSProperties, ReactNode } from "react"

export interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand at the right. */
  readonly isNumber?: boolean
}

interface TableProps<Row> {
  /** What the rows are, for screen readers. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  /** Whether the row is chosen, such as the one whose details are open. */
  readonly isChosen?: (row: Row) => boolean
}

/** Room for each column on a narrow screen, in rem: otherwise a text would break at every word before the table scrolls. */
const textWidth = 9
const numberWidth = 5

export function Table<Row>({ label, columns, rows, keyOf, isChosen }: TableProps<Row>) {
  const widthLeast = columns.reduce((sum, { isNumber }) => sum + (isNumber === true ? numberWidth : textWidth), 0)
  return (
    // A region that scrolls must be reachable by keyboard.
    <div
      tabIndex={0}
      role="region"
      aria-label={label}
      className="border-line bg-panel min-w-0 overflow-x-auto rounded-lg border"
    >
      <table
        className="w-full border-collapse text-left wrap-break-word max-md:min-w-(--width-least)"
        style={{ "--width-least": `${widthLeast}rem` } as CSSProperties}
      >
        <thead>
          <tr className="border-line text-muted border-b">
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" className={`px-3 py-2 font-medium ${isNumber === true ? "text-right" : ""}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className={`border-line border-b align-top last:border-b-0 ${isChosen?.(row) === true ? "bg-accent-soft" : ""}`}
            >
              {columns.map(({ cell, name, isNumber }) => (
                <td key={name} className={`px-3 py-2 ${isNumber === true ? "text-right tabular-nums" : ""}`}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
