/**
 * Shortens or repairs texts before the pod stores or shows them. The database refuses half of a surrogate pair and the
 * character U+0000.
 */

/**
 * Returns the first `max` characters (UTF-16 units) of a text. If the cut would split a surrogate pair, such as an
 * emoji, the whole pair is left out. Half of a pair elsewhere in the text becomes U+FFFD, because the database and JSON
 * clients refuse such halves.
 */
export const shortenText = (text: string, max: number): string =>
  (text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "")).toWellFormed()

/**
 * Returns the first `max` characters of a text from outside. PostgreSQL accepts the result, because the function also
 * replaces U+0000.
 */
export const storableText = (text: string, max: number): string => shortenText(text, max).replaceAll("\0", "\uFFFD")
