/** Cuts a long text into passages, which are found and ranked one by one: a book is not about each of its words. */

/** A part of a text. `start` and `length` count characters as SQL does, code points and not UTF-16 units. */
export interface Passage {
  readonly start: number
  readonly length: number
  readonly text: string
}

const passageMost = 6000 // UTF-16 units, about 1,000 words: an abstract or a page stays whole
const ends = [/\n\s*\n/g, /[.!?。！？]\s/g, /\s/g] // where a cut hurts least, best first

/** The last end of a paragraph, a sentence or a word in the second half of the window. */
const cutIn = (window: string): number => {
  for (const end of ends) {
    let cut = 0
    for (const { 0: found, index } of window.matchAll(end)) cut = index + found.length
    if (cut > window.length / 2) return cut
  }
  // A text without spaces is cut anywhere but inside a character.
  return /[\uD800-\uDBFF]$/.test(window) ? window.length - 1 : window.length
}

const surrogates = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g
const codePoints = (text: string): number => text.length - (text.match(surrogates)?.length ?? 0)

/** The passages of a text in their order: together they are the text. An empty text is one empty passage. */
export const passagesOf = (text: string): ReadonlyArray<Passage> => {
  const passages: Array<Passage> = []
  let at = 0
  let start = 0
  do {
    const rest = text.slice(at, at + passageMost)
    const part = at + passageMost >= text.length ? rest : rest.slice(0, cutIn(rest))
    const length = codePoints(part)
    passages.push({ start, length, text: part })
    at += part.length
    start += length
  } while (at < text.length)
  return passages
}
