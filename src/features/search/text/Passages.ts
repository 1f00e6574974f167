/**
 * Cuts a long text into passages. Search ranks passages and not whole texts, because a long text contains many words
 * that have little to do with its subject.
 */

/** A part of a text. `start` and `length` count code points, as SQL does, and not UTF-16 units. */
export interface Passage {
  readonly start: number
  readonly length: number
  readonly text: string
}

// the maximum number of UTF-16 units of a passage, which are about 1,000 words
const passageMax = 6000
// The places for a cut, best first: after a paragraph, after a sentence, after a word.
const ends = [/\n\s*\n/g, /[.!?。！？]\s/g, /\s/g]

/**
 * Selects the place at which a window of text is cut. The best place is after the last paragraph that ends in the
 * second half of the window. If no paragraph ends there, the place is after a sentence. If no sentence ends there, the
 * place is after a word.
 */
const cutIn = (window: string): number => {
  for (const end of ends) {
    let cut = 0
    for (const { 0: found, index } of window.matchAll(end)) cut = index + found.length
    if (cut > window.length / 2) return cut
  }
  // A text without spaces is cut at the end of the window, but not inside a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(window) ? window.length - 1 : window.length
}

const surrogates = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g
const codePoints = (text: string): number => text.length - (text.match(surrogates)?.length ?? 0)

/**
 * Cuts a text into passages and returns them in their order. The joined passages are the whole text. An empty text has
 * one empty passage.
 */
export const passagesOf = (text: string): ReadonlyArray<Passage> => {
  const passages: Array<Passage> = []
  let at = 0
  let start = 0
  do {
    const rest = text.slice(at, at + passageMax)
    const part = at + passageMax >= text.length ? rest : rest.slice(0, cutIn(rest))
    const length = codePoints(part)
    passages.push({ start, length, text: part })
    at += part.length
    start += length
  } while (at < text.length)
  return passages
}
