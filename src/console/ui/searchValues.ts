/** Reads search parameters from an address. A value of a wrong type is treated as if it were absent. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined

export const flagIn = (value: unknown): boolean | undefined => (value === true ? true : undefined)

export const oneOf = <const Name extends string>(value: unknown, names: ReadonlyArray<Name>): Name | undefined =>
  names.find((name) => name === value)
