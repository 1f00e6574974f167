/** Text of others that the pod keeps for information: what cannot be stored in it must not cost what is stored beside it. */

/**
 * The first `most` characters, as PostgreSQL takes them: it refuses half of a surrogate pair in JSON, which a cut can
 * leave, and the character U+0000 everywhere.
 */
export const storableText = (text: string, most: number): string =>
  text.slice(0, most).toWellFormed().replaceAll("\0", "\uFFFD")
