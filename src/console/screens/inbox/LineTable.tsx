/** Compares two versions of a text line by line: in one column, or beside each other. */
import { useMemo, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Pieces } from "./Pieces.tsx"
import { foldedRows, type HiddenRows, type LineRow, lineRows } from "./textDiff.ts"

const marks = { same: " ", removed: "−", added: "+", changed: "±" } as const
// The table shows this many rows at first, and adds as many at each click. A browser needs seconds to draw tens of
// thousands of rows.
const shownAtOnce = 1_000

const words = { same: "", removed: "removed: ", added: "added: ", changed: "changed: " } as const

const Cell = ({ kind, pieces }: { readonly kind: LineRow["kind"]; readonly pieces: LineRow["before"] }) => {
  const colour = kind === "removed" ? "bg-bad-soft" : kind === "added" ? "bg-good-soft" : ""
  return (
    <td className={`px-2 align-top whitespace-pre-wrap ${pieces === undefined ? "bg-page" : colour}`}>
      {pieces !== undefined && <Pieces pieces={pieces} />}
    </td>
  )
}

const Mark = ({ kind }: { readonly kind: LineRow["kind"] }) => (
  <td className="text-muted px-1 text-center align-top select-none">
    <span aria-hidden>{marks[kind]}</span>
    <span className="sr-only">{words[kind]}</span>
  </td>
)

const SplitRow = ({ row }: { readonly row: LineRow }) => (
  <tr>
    <Mark kind={row.kind} />
    <Cell kind={row.kind === "changed" ? "removed" : row.kind} pieces={row.before} />
    <Cell kind={row.kind === "changed" ? "added" : row.kind} pieces={row.after} />
  </tr>
)

const UnifiedRow = ({ row }: { readonly row: LineRow }) =>
  row.kind === "changed" ? (
    <>
      <UnifiedRow row={{ kind: "removed", before: row.before ?? [] }} />
      <UnifiedRow row={{ kind: "added", after: row.after ?? [] }} />
    </>
  ) : (
    <tr>
      <Mark kind={row.kind} />
      <Cell kind={row.kind} pieces={row.before ?? row.after} />
    </tr>
  )

const Fold = ({
  fold,
  isSplit,
  row: Row
}: {
  readonly fold: HiddenRows
  readonly isSplit: boolean
  readonly row: typeof SplitRow
}) => {
  const [isOpen, setOpen] = useState(false)
  return isOpen ? (
    fold.rows.map((row, at) => <Row key={at} row={row} />)
  ) : (
    <tr>
      <td colSpan={isSplit ? 3 : 2} className="p-1">
        <Button kind="quiet" className="text-muted text-xs" onClick={() => setOpen(true)}>
          Show {fold.rows.length} unchanged lines
        </Button>
      </td>
    </tr>
  )
}

export const LineTable = ({
  label,
  before,
  after,
  isSplit
}: {
  readonly label: string
  readonly before: string
  readonly after: string
  readonly isSplit: boolean
}) => {
  const Row = isSplit ? SplitRow : UnifiedRow
  const [most, setMax] = useState(shownAtOnce)
  const rows = useMemo(() => foldedRows(lineRows(before, after)), [before, after])
  const changesBelow = rows.slice(most).filter(({ kind }) => kind !== "same" && kind !== "hidden").length
  return (
    // A keyboard user must be able to focus a region that scrolls.
    <div tabIndex={0} role="region" aria-label={label} className="border-line overflow-x-auto rounded-md border">
      <table className={`w-full table-fixed border-collapse font-mono text-xs ${isSplit ? "min-w-[36rem]" : ""}`}>
        <colgroup>
          <col className="w-6" />
          {isSplit && <col />}
          <col />
        </colgroup>
        <thead className="text-muted text-left">
          <tr className={isSplit ? "" : "sr-only"}>
            <th scope="col">
              <span className="sr-only">Kind</span>
            </th>
            {isSplit && (
              <th scope="col" className="px-2 font-medium">
                Before
              </th>
            )}
            <th scope="col" className="px-2 font-medium">
              {isSplit ? "After" : "Line"}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows
            .slice(0, most)
            .map((row, at) =>
              row.kind === "hidden" ? (
                <Fold key={at} fold={row} isSplit={isSplit} row={Row} />
              ) : (
                <Row key={at} row={row} />
              )
            )}
          {rows.length > most && (
            <tr>
              <td colSpan={isSplit ? 3 : 2} className="p-1">
                <Button kind="quiet" className="text-warn text-xs" onClick={() => setMax(most + shownAtOnce)}>
                  Show more: {changesBelow} changed rows are not shown yet
                </Button>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
