/**
 * Which calls see records that probes wrote. All other calls, also listings and searches with the same key, read as if
 * these records did not exist.
 */
import type { OperationProperties } from "./Declaration.ts"

/**
 * Whether a call of a key with these scopes is a probe: a write, or the reading of one record by its id. A chat writes too, but
 * it answers from whatever it finds, so it is like a search.
 */
export const isProbing = (
  held: ReadonlyArray<string>,
  { door, kind, showsProbes }: Pick<OperationProperties, "door" | "kind" | "showsProbes">
): boolean => {
  if (!held.includes("probe")) return false
  if (kind === "query") return showsProbes === true
  return door._tag !== "Write" || door.reads === undefined
}
