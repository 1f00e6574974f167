/** The text of a PostgreSQL array. */

// Each statement has lists of ids, which never need the replacement.
const quoted = (value: string) =>
  value.includes('"') || value.includes("\\") ? `"${value.replaceAll(/["\\]/gu, "\\$&")}"` : `"${value}"`

/**
 * The values as the text of a PostgreSQL array, for a cast to `uuid[]` or `text[]`. Each value is in quotes, because
 * PostgreSQL reads `null` without quotes as no value.
 */
export const arrayLiteral = (values: ReadonlyArray<string>): string => `{${values.map(quoted).join(",")}}`
