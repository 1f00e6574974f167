/** The plain form of a word: lower case, without accents and other marks. */

const asciiOnly = /^[\u0000-\u007f]*$/

/** `Größe` → `grosse`. Full-width and other compatibility characters become their common form. */
export const plain = (word: string): string =>
  asciiOnly.test(word)
    ? word.toLowerCase()
    : word.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss")
