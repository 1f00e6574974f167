/** The plain form of a word: lower case, without accents and other marks. */

const asciiOnly = /^[\u0000-\u007f]*$/

/** `Größe` → `grosse`. Full-width and other compatibility characters become their common form. */
export const plain = (word: string): string =>
  asciiOnly.test(word)
    ? word.toLowerCase()
    : word.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss")

const sharedFrom = 13 // characters; the JavaScript engine copies shorter parts of a text anyway

/** The same word in memory of its own. The JavaScript engine otherwise keeps the whole text in memory as long as a part of it is used. */
export const ownCopy = (word: string): string =>
  word.length < sharedFrom ? word : Buffer.from(word, "utf16le").toString("utf16le")
