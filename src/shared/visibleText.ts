/**
 * Makes deceptive characters visible in a text that somebody else wrote. A person who decides about the text must see
 * these characters before the decision.
 */

/**
 * Invisible characters, and characters after which the text appears in another order. These are line and paragraph
 * separators, marks that change the direction of letters, and tag characters. Tag characters can hide a message to a
 * model. Marks that Arabic, Hebrew, Indic scripts and emoji need are not in this list.
 */
const deceiving = /[\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** Writes a character as JSON escapes it, such as `\u202e`. */
export const escapeOf = (letter: string): string =>
  letter.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * Replaces each character that can make one text look like another text. The replacement is the escape of the
 * character.
 */
export const visibleText = (text: string): string => text.replaceAll(deceiving, escapeOf)
