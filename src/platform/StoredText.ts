/**
 * Text from outside that the pod stores only as information. Characters that the database cannot store are replaced, so
 * that the rest of the row is still stored.
 */

/**
 * The first `most` characters in a form that PostgreSQL accepts. PostgreSQL refuses the character U+0000 everywhere,
 * and half of a surrogate pair in JSON. Cutting a text can leave such a half.
 */
export const storableText = (text: string, most: number): string =>
  text.slice(0, most).toWellFormed().replaceAll("\0", "\uFFFD")
