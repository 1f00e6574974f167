/** Finds the changed fields in the data of an event, each with its value before and after the change. */

export interface AuditChange {
  readonly field: string
  readonly before: string
  readonly after: string
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A value in words. A value that is absent or null is “none”. */
const wordsOf = (value: unknown): string =>
  value === undefined || value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value)

/**
 * Returns the changes in the data of an event. An administrative event has the former values in `before` and the new
 * values in `after`. The event of a changed policy has the new values in `governance`. For an event without such
 * values, the result is empty.
 */
export const changesIn = (data: Readonly<Record<string, unknown>>): ReadonlyArray<AuditChange> => {
  const { before = {}, governance } = data
  const after = data["after"] ?? governance
  if (!isRecord(before) || !isRecord(after)) return []
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, before: wordsOf(before[field]), after: wordsOf(after[field]) }))
    .filter((change) => change.before !== change.after)
}
