/** Applies the changes of a proposal to the original text. */
import type { TextChange } from "./Document.ts"

/**
 * Returns the range that a change removes and the text that the change inserts. Returns undefined if the change lacks a
 * field that its `op` needs.
 */
const spliceOf = ({ op, position, range, text }: TextChange) => {
  switch (op) {
    case "insert":
      return position === undefined || text === undefined ? undefined : { start: position, end: position, text }
    case "delete":
      return range === undefined ? undefined : { ...range, text: "" }
    case "replace":
      return range === undefined || text === undefined ? undefined : { ...range, text }
  }
}

/**
 * Returns the text after all changes. Every position is a position in the original text, so one change does not move
 * the position of another change. Several inserts at one position keep their order. Returns undefined if a change is
 * incomplete, goes past the end of the text, or overlaps another change.
 */
export const applyTextChanges = (original: string, changes: ReadonlyArray<TextChange>): string | undefined => {
  const splices = changes.map(spliceOf)
  const pieces: Array<string> = []
  let at = 0
  for (const splice of splices.toSorted((one, other) => (one?.start ?? 0) - (other?.start ?? 0))) {
    if (splice === undefined || splice.start < at || splice.end < splice.start || splice.end > original.length) {
      return undefined
    }
    pieces.push(original.slice(at, splice.start), splice.text)
    at = splice.end
  }
  return pieces.join("") + original.slice(at)
}
