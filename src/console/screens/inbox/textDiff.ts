/** Compares two texts for people: line by line, and word by word inside changed lines. */
import { diffLines, diffWordsWithSpace } from "diff"

export interface Piece {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
}

/** One row of a comparison. If only one text has the line, the other side (`before` or `after`) is absent. */
export interface LineRow {
  readonly kind: "same" | "removed" | "added" | "changed"
  readonly before?: ReadonlyArray<Piece>
  readonly after?: ReadonlyArray<Piece>
}

/** Unchanged rows that are hidden. A button shows them. */
export interface HiddenRows {
  readonly kind: "hidden"
  readonly rows: ReadonlyArray<LineRow>
}

// An attacker can write a text that is slow to compare, so these numbers limit the work. If two texts differ too much,
// the whole old text is shown as removed and the whole new text as added. `wordsMax` counts the characters of both
// texts together. Longer texts are not compared word by word.
const wordsMax = 20_000
const wordEditsMax = 500
const lineEditsMax = 1_000

const replacedPieces = (before: string, after: string): ReadonlyArray<Piece> =>
  [
    { kind: "removed" as const, text: before },
    { kind: "added" as const, text: after }
  ].filter(({ text }) => text !== "")

/** The words of both texts in one sequence. Each piece says whether it is unchanged, removed or added. */
export const wordPieces = (before: string, after: string): ReadonlyArray<Piece> =>
  (before.length + after.length > wordsMax
    ? undefined
    : diffWordsWithSpace(before, after, { maxEditLength: wordEditsMax })?.map(({ added, removed, value }) => ({
        kind: added ? ("added" as const) : removed ? ("removed" as const) : ("same" as const),
        text: value
      }))) ?? replacedPieces(before, after)

const withoutEnd = (text: string) => (text.endsWith("\n") ? text.slice(0, -1) : text)
const linesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : withoutEnd(text).split("\n"))

const changedRow = (pieces: ReadonlyArray<Piece>): LineRow => {
  return {
    kind: "changed",
    before: pieces.filter(({ kind }) => kind !== "added"),
    after: pieces.filter(({ kind }) => kind !== "removed")
  }
}

const onlyRow = (kind: "same" | "removed" | "added", text: string): LineRow => {
  const pieces = [{ kind, text }]
  return {
    kind,
    ...(kind === "added" ? {} : { before: pieces }),
    ...(kind === "removed" ? {} : { after: pieces })
  }
}

/** The rows of a comparison of two texts. A removed line and the added line that replaces it are in one row. */
export const lineRows = (before: string, after: string): ReadonlyArray<LineRow> => {
  const rows: Array<LineRow> = []
  // For all later rows together, at most this many characters are still compared word by word.
  let wordsLeft = wordsMax
  const piecesOf = (one: string, other: string) => {
    wordsLeft -= one.length + other.length
    return wordsLeft < 0 ? replacedPieces(one, other) : wordPieces(one, other)
  }
  const parts = diffLines(before, after, { maxEditLength: lineEditsMax }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true }
  ]
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]
    if (part === undefined) continue
    const lines = linesOf(part.value)
    if (!part.removed) {
      rows.push(...lines.map((line) => onlyRow(part.added ? "added" : "same", line)))
      continue
    }
    const next = parts[at + 1]
    const added = next?.added === true ? linesOf(next.value) : []
    if (next?.added === true) at++
    const paired = Math.min(lines.length, added.length)
    for (let each = 0; each < paired; each++) {
      const [one = "", other = ""] = [lines[each], added[each]]
      rows.push(one === other ? onlyRow("same", one) : changedRow(piecesOf(one, other)))
    }
    rows.push(...lines.slice(paired).map((line) => onlyRow("removed", line)))
    rows.push(...added.slice(paired).map((line) => onlyRow("added", line)))
  }
  return rows
}

// This many unchanged rows are shown before and after a change.
const contextRows = 3

/** Hides long runs of unchanged rows. Each hidden run still contains its rows, so that a button can show them. */
export const foldedRows = (rows: ReadonlyArray<LineRow>): ReadonlyArray<LineRow | HiddenRows> => {
  const isNear = rows.map((_, at) =>
    rows.slice(Math.max(0, at - contextRows), at + contextRows + 1).some(({ kind }) => kind !== "same")
  )
  const folded: Array<LineRow | HiddenRows> = []
  let run: Array<LineRow> = []
  const close = () => {
    if (run.length > 1) folded.push({ kind: "hidden", rows: run })
    else folded.push(...run)
    run = []
  }
  for (const [at, row] of rows.entries()) {
    if (isNear[at] === true) {
      close()
      folded.push(row)
    } else run.push(row)
  }
  close()
  return folded
}

export const textOf = (pieces: ReadonlyArray<Piece> | undefined): string =>
  (pieces ?? []).map(({ text }) => text).join("")
