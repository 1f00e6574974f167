/**
 * Texts that the pod shortens or repairs before it stores or shows them. The database refuses half of a surrogate pair
 * and the character U+0000.
 */

/**
 * The first `most` characters of a text from outside in a form that PostgreSQL accepts. PostgreSQL refuses the character U+0000 everywhere,
 * and half of a surrogate pair in JSON. Cutting a text can leave such a half.
 */
export const storableText = (text: string, most: number): string =>
  text.slice(0, most).toWellFormed().replaceAll("\0", "\uFFFD")

/**
 * The first `most` characters (UTF-16 units) of a text. A cut inside a surrogate pair, such as an emoji, leaves out the
 * whole pair, because the database and JSON clients refuse half of one.
 */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")
