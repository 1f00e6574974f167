/**
 * Checks that the sources support an answer. Only words are compared, not their meaning. Each sentence must cite
 * existing sources. These sources must contain at least half of the sentence's content words, all its numbers, and its
 * web addresses letter by letter. An answer with an image is refused. A sentence that uses the words of its source to
 * say the opposite is not noticed.
 */
import { analyse } from "../search/text/Analyser.ts"
import type { AnswerSource } from "./AnswerPrompt.ts"

const shareLeast = 0.5 // the smallest share of the content words of a sentence that its sources must contain
const wordsLeast = 3 // the fewest words of a sentence; a shorter piece such as "Of course." counts as the beginning of the next sentence
// Abbreviations that end in a full stop without ending a sentence. They are listed one by one. A rule for all short
// words would also join a short statement without a citation to the next sentence, which has one.
const abbreviation =
  /(?<![\p{L}\p{N}])(?:\p{Lu}|dr|mr|mrs|ms|mme|prof|sr|sra|jr|st|no|nr|vs|ca|approx|inc|ltd|co|e\.g|i\.e|z\. ?b|d\. ?h|bzw|p\. ?ej)\.\s*$/iu

const citation = /\[\s*\d+(?:\s*[,;]\s*\d+)*\s*\]/g
const citationsBehindEnd = /([.!?…。！？]["'”’)]*)(\s*(?:\[[\d\s,;]+\]\s*)+)/g
const listMark = /^\s*(?:[-*•]|\d+[.)])\s+/
const image = /!\[/
const address = /\b[a-z][a-z\d+.-]*:\/\/[^\s<>"'`]+|\bwww\.[^\s<>"'`]+|\]\(\s*[^)\s]+/giu

const numbersIn = (text: string): ReadonlyArray<number> =>
  text.replaceAll(citation, " ").match(/\d+/g)?.map(Number) ?? []

/** Removes the separators of thousands: 1,000 and 1.000 and 1 000 become 1000. */
const ungrouped = (text: string): string => text.replaceAll(/(?<=\d)[,.'’\u00a0\u202f](?=\d{3}(?!\d))/g, "")

const citedIn = (text: string): ReadonlyArray<number> =>
  (text.match(citation) ?? []).flatMap((each) => each.match(/\d+/g)?.map(Number) ?? [])

const wordsIn = (text: string): ReadonlyArray<string> => analyse(text.replaceAll(citation, " "))

const sentences = new Intl.Segmenter("en", { granularity: "sentence" })

/**
 * Splits a text into sentences. A citation after the full stop belongs to the sentence before it. A short piece, or a
 * line that ends in a colon, becomes the beginning of the next sentence.
 */
const sentencesIn = (text: string): ReadonlyArray<string> => {
  const whole: Array<string> = []
  let begun = ""
  for (const line of text.replaceAll(citationsBehindEnd, "$2$1 ").split(/\n+/)) {
    const pieces = [...sentences.segment(line.replace(listMark, ""))]
    for (const [at, { segment }] of pieces.entries()) {
      begun += segment
      // If no space follows the full stop, it is inside an address or a name and does not end the sentence.
      if (at < pieces.length - 1 && !/(?:\s|[。！？][」』”’]?)$/.test(segment)) continue
      const isOpen = /:\s*$/.test(begun) || abbreviation.test(begun) || wordsIn(begun).length < wordsLeast
      const isWhole = citedIn(begun).length > 0 || !isOpen
      if (!isWhole) continue
      whole.push(begun)
      begun = ""
    }
    begun += "\n"
  }
  return begun.trim() === "" ? whole : [...whole, begun]
}

const addressOf = (found: string) => found.replace(/^\]\(\s*/, "").replace(/[.,;:!?)\]]+$/, "")

const rests = (sentence: string, cited: ReadonlyArray<AnswerSource>): boolean => {
  const said = cited.map(({ text, title }) => `${title}\n${text}`).join("\n")
  const there = new Set(wordsIn(said))
  const words = wordsIn(sentence)
  const held = words.filter((word) => there.has(word)).length
  const numbers = new Set([...numbersIn(said), ...numbersIn(ungrouped(said))])
  return (
    held > 0 &&
    held >= words.length * shareLeast &&
    numbersIn(ungrouped(sentence)).every((number) => numbers.has(number)) &&
    (sentence.match(address) ?? []).every((each) => said.includes(addressOf(each)))
  )
}

/**
 * Checks that the sources support an answer. Returns the numbers of the cited sources, sorted, or undefined if they do
 * not support it.
 */
export const citedBy = (answer: string, sources: ReadonlyArray<AnswerSource>): ReadonlyArray<number> | undefined => {
  if (image.test(answer)) return undefined
  const all = new Set<number>()
  for (const sentence of sentencesIn(answer)) {
    const numbers = citedIn(sentence)
    const cited = numbers.flatMap((number) => sources.at(number - 1) ?? [])
    if (numbers.length === 0 || numbers.includes(0) || cited.length < numbers.length) return undefined
    if (!rests(sentence, cited)) return undefined
    for (const number of numbers) all.add(number)
  }
  return all.size === 0 ? undefined : [...all].toSorted((one, other) => one - other)
}

/** Replaces the numbers in the citations of an answer, so that [n] cites the n-th source in the list `cited`. */
export const renumbered = (answer: string, cited: ReadonlyArray<number>): string =>
  answer.replaceAll(citation, (each) => each.replaceAll(/\d+/g, (number) => String(cited.indexOf(Number(number)) + 1)))
