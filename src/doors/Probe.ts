/**
 * Decides which calls see the records that probes wrote. For every other call, also for a list or a search with the
 * same key, these records do not exist.
 */
import type { OperationProperties } from "./Declaration.ts"

/**
 * Returns true if a call of a key with these scopes is a probe. A write is a probe, and so is a read of one record by
 * its id. A chat is a write but not a probe, because its answer can use any record, as a search does.
 */
export const isProbing = (
  scopes: ReadonlyArray<string>,
  { door, kind, showsProbes }: Pick<OperationProperties, "door" | "kind" | "showsProbes">
): boolean => {
  if (!scopes.includes("probe")) return false
  if (kind === "query") return showsProbes === true
  return door._tag !== "Write" || door.reads === undefined
}
