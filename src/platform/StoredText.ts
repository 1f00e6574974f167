/**
 * Texts that the pod shortens or repairs before it stores or shows them. The database refuses half of a surrogate pair
 * and the character U+0000.
 */

/**
 * The first `most` characters (UTF-16 units) of a text. A cut inside a surrogate pair, such as an emoji, leaves out the
 * whole pair, and half of a pair elsewhere in the text becomes U+FFFD: the database and JSON clients refuse such halves.
 */
export const shortened = (text: string, most: number): string =>
  (text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")).toWellFormed()

/** The first `most` characters of a text from outside in a form that PostgreSQL accepts: also without U+0000. */
export const storableText = (text: string, most: number): string => shortened(text, most).replaceAll("\0", "\uFFFD")
