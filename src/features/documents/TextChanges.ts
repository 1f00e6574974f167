/** Carries out changes of a text: what a proposal says it did to the original. */
import type { TextChange } from "./Document.ts"

/** What a change takes out and what it puts there; undefined when it lacks what its `op` needs. */
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
 * The text with all changes made at once: every position counts in the original. What is inserted at one place stands
 * in the order given. Undefined when a change is incomplete, reaches past the end, or meets another.
 */
export const withChanges = (original: string, changes: ReadonlyArray<TextChange>): string | undefined => {
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
