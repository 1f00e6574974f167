/**
 * Divides the differences of a proposal into those that are shown at length, and the fields without a value, which are
 * only listed. Each difference is in exactly one of these two parts, because a person must see all that an approval
 * would write. A field without a value can matter: for a limit, null means that there is no limit.
 */

/** Returns true if a value is null, an empty text, an empty list or an empty object. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0)

interface Difference {
  readonly kind?: unknown
  readonly before?: unknown
  readonly after?: unknown
}

const valueOf = ({ after, before, kind }: Difference): unknown => (kind === "removed" ? before : after)

/** Returns false if a field without a value was added or removed. */
export const isShownDifference = (difference: Difference): boolean =>
  difference.kind === "changed" || !isEmpty(valueOf(difference))

/**
 * Returns the fields without a value that a proposal adds or removes, such as `workspaceIds: null`. `nameOf` returns the
 * name of the field.
 */
export const emptyFields = <D extends Difference>(
  differences: ReadonlyArray<D>,
  nameOf: (difference: D) => string
): ReadonlyArray<string> =>
  differences
    .filter((difference) => !isShownDifference(difference))
    .map((difference) => `${nameOf(difference)}: ${JSON.stringify(valueOf(difference) ?? null)}`)
