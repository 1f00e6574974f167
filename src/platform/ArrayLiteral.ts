/** The text of a PostgreSQL array. */

const quoted = (value: string) => `"${value.replaceAll(/["\\]/gu, "\\$&")}"`

/**
 * The values as the text of a PostgreSQL array, for a cast to `uuid[]` or `text[]`. Each value is in quotes, because
 * PostgreSQL reads `null` without quotes as no value.
 */
export const arrayLiteral = (values: ReadonlyArray<string>): string => `{${values.map(quoted).join(",")}}`
