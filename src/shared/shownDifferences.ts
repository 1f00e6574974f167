/** Decides which differences of a proposal are worth showing to a person. */

/** True if a value is null, an empty text, an empty list or an empty object. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0)

interface Difference {
  readonly kind?: unknown
  readonly before?: unknown
  readonly after?: unknown
}

/** False if a field without a value was added or removed. Such a difference changes nothing for a person. */
export const isShownDifference = ({ after, before, kind }: Difference): boolean =>
  kind === "changed" || !isNothing(kind === "removed" ? before : after)
