/** Reads the fields of answers, which are of many types and may be of a newer pod than this command line. */

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** The text of a value; empty if it is none. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : ""

/** The records of a listing: the answer itself, or the list that it holds under one of these names. */
export const rowsOf = (value: unknown, ...names: ReadonlyArray<string>): ReadonlyArray<Fields> => {
  if (Array.isArray(value)) return value.filter(isFields)
  const fields = fieldsOf(value)
  const found = names.map((name) => fields[name]).find(Array.isArray)
  return found === undefined ? [] : found.filter(isFields)
}

/** The texts of a list. */
export const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(textOf).filter((text) => text !== "") : []
