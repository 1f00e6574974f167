/** Makes the plain form of words: lower case, without accents and other marks. */

const asciiOnly = /^[\u0000-\u007f]*$/

/**
 * Makes the plain form of a word. For example, `Größe` becomes `grosse`. Full-width and similar variants of a character
 * become the usual character.
 */
export const plainForm = (word: string): string =>
  asciiOnly.test(word)
    ? word.toLowerCase()
    : word.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss")

// The minimum number of characters of a word that must be copied. The JavaScript engine itself copies shorter parts of
// a text.
const sharedFrom = 13

/**
 * Copies a word into separate memory. Without the copy, the JavaScript engine keeps the whole text in memory as long as
 * the word is in use.
 */
export const ownCopy = (word: string): string =>
  word.length < sharedFrom ? word : Buffer.from(word, "utf16le").toString("utf16le")
