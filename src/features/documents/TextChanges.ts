/** Applies the changes of a proposal to the original text. */
import type { TextChange } from "./Document.ts"

/** The range that a change removes and the text that it inserts; undefined when a field is missing that its `op` needs. */
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
 * The text with all changes made at once: every position counts in the original. Several inserts at one position keep their
 * order. Undefined when a change is incomplete, reaches past the end, or overlaps another.
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
