/** The plain form of a word: lower case, without accents and other marks. */

const asciiOnly = /^[\u0000-\u007f]*$/

/** `Größe` → `grosse`. Full-width and other compatibility characters become their common form. */
export const plain = (word: string): string =>
  asciiOnly.test(word)
    ? word.toLowerCase()
    : word.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss")

const sharedFrom = 13 // characters; shorter parts of a text are always copied

/** The same word in memory of its own: the engine lets a long part of a text share, and so keep, the whole text. */
export const ownCopy = (word: string): string =>
  word.length < sharedFrom ? word : Buffer.from(word, "utf16le").toString("utf16le")
