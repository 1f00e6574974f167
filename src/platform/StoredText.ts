/**
 * Text from outside that the pod keeps for information. Characters that the database cannot store are replaced, so
 * that the other data of the row is still stored.
 */

/**
 * The first `most` characters, as PostgreSQL takes them: it refuses half of a surrogate pair in JSON, which a cut can
 * leave, and the character U+0000 everywhere.
 */
export const storableText = (text: string, most: number): string =>
  text.slice(0, most).toWellFormed().replaceAll("\0", "\uFFFD")
