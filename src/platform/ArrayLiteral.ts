/** Writes values as the text of a PostgreSQL array. */

// Only a quote or a backslash in a value must be escaped. Most values are ids, which contain neither of them.
const quoteValue = (value: string) =>
  value.includes('"') || value.includes("\\") ? `"${value.replaceAll(/["\\]/gu, "\\$&")}"` : `"${value}"`

/**
 * Returns the values as the text of a PostgreSQL array, for a cast to `uuid[]` or `text[]`. Each value is in quotes,
 * because PostgreSQL reads `null` without quotes as NULL.
 */
export const arrayLiteral = (values: ReadonlyArray<string>): string => `{${values.map(quoteValue).join(",")}}`

/** Returns the values as the text of a PostgreSQL array, for a cast to `bytea[]`. */
export const byteaArray = (values: ReadonlyArray<Buffer>): string =>
  arrayLiteral(values.map((value) => `\\x${value.toString("hex")}`))
