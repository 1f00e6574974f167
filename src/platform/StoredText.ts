/**
 * Shortens or repairs texts before the pod stores or shows them. The database refuses half of a surrogate pair and the
 * character U+0000.
 */

/**
 * Returns the first `most` characters (UTF-16 units) of a text. If the cut would split a surrogate pair, such as an
 * emoji, the whole pair is left out. Half of a pair elsewhere in the text becomes U+FFFD, because the database and JSON
 * clients refuse such halves.
 */
export const shortenText = (text: string, most: number): string =>
  (text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")).toWellFormed()

/**
 * Returns the first `most` characters of a text from outside. PostgreSQL accepts the result, because the function also
 * replaces U+0000.
 */
export const storableText = (text: string, most: number): string => shortenText(text, most).replaceAll("\0", "\uFFFD")
