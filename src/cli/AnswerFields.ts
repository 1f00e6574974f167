/**
 * Reads the fields of answers from a pod. Checks the type of each value, because the pod can be newer than this command
 * line.
 */

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** Returns a string, a number or a boolean as a text. Returns an empty text for any other value. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : ""

/**
 * Returns the records of a list answer: the answer itself if it is a list, else the first list in the fields `names`.
 */
export const rowsOf = (value: unknown, ...names: ReadonlyArray<string>): ReadonlyArray<Fields> => {
  if (Array.isArray(value)) return value.filter(isFields)
  const fields = fieldsOf(value)
  const found = names.map((name) => fields[name]).find(Array.isArray)
  return found === undefined ? [] : found.filter(isFields)
}

/** Returns the non-empty texts of a list. Returns an empty list if the value is not a list. */
export const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(textOf).filter((text) => text !== "") : []
