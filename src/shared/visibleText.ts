/** Shows texts that others wrote to a person who decides about them. */

/**
 * Characters that nobody sees, or that show the text after them in another order: line and paragraph separators, marks that
 * override the direction of letters, and tags, by which a text can hide a message to a model. Marks that Arabic, Hebrew, Indic
 * scripts and emoji need stay as they are.
 */
const deceiving = /[\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** A character as JSON escapes it, such as `\u202e`. */
export const escapeOf = (letter: string): string =>
  letter.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The text with escapes for the characters that could make it look like another text. */
export const visibleText = (text: string): string => text.replaceAll(deceiving, escapeOf)
