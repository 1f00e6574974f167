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

/**
 * Writes the control characters of a text as escapes. The texts of records come from other people, and control
 * characters could move the cursor, hide lines or change the title of the terminal. Characters that make a text look
 * like another text become escapes too.
 */
export const escapeInvisible = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  visibleText(text).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, escapeOf)
