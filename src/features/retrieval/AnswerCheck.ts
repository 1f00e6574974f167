/**
 * Checks that the sources support an answer. The check compares only words, and not their meaning. Each sentence must
 * cite existing sources. These sources must contain at least half of the content words of the sentence, all its
 * numbers, and its exact web addresses. The check refuses an answer with an image. It does not notice a sentence that
 * uses the words of its source to say the opposite.
 */
import { analyse } from "../search/text/Analyser.ts"
import type { AnswerSource } from "./AnswerPrompt.ts"

// the minimum share of the content words of a sentence that its sources must contain
const shareMin = 0.5
// A piece of text with fewer words, such as "Of course.", is joined to the next sentence.
const wordsMin = 3
// Abbreviations whose full stop does not end a sentence. The list names each abbreviation, because a rule for all short
// words would also match a short statement without a citation. This statement would then be joined to the next
// sentence, which has a citation.
const abbreviation =
  /(?<![\p{L}\p{N}])(?:\p{Lu}|dr|mr|mrs|ms|mme|prof|sr|sra|jr|st|no|nr|vs|ca|approx|inc|ltd|co|e\.g|i\.e|z\. ?b|d\. ?h|bzw|p\. ?ej)\.\s*$/iu

const citation = /\[\s*\d+(?:\s*[,;]\s*\d+)*\s*\]/g
const citationsBehindEnd = /([.!?…。！？]["'”’)]*)(\s*(?:\[[\d\s,;]+\]\s*)+)/g
const listMark = /^\s*(?:[-*•]|\d+[.)])\s+/
const image = /!\[/
const address = /\b[a-z][a-z\d+.-]*:\/\/[^\s<>"'`]+|\bwww\.[^\s<>"'`]+|\]\(\s*[^)\s]+/giu

const numbersIn = (text: string): ReadonlyArray<number> =>
  text.replaceAll(citation, " ").match(/\d+/g)?.map(Number) ?? []

/** Removes the separators of thousands from numbers. For example, `1,000`, `1.000` and `1’000` become `1000`. */
const removeGrouping = (text: string): string => text.replaceAll(/(?<=\d)[,.'’\u00a0\u202f](?=\d{3}(?!\d))/g, "")

const citedIn = (text: string): ReadonlyArray<number> =>
  (text.match(citation) ?? []).flatMap((each) => each.match(/\d+/g)?.map(Number) ?? [])

const wordsIn = (text: string): ReadonlyArray<string> => analyse(text.replaceAll(citation, " "))

const sentences = new Intl.Segmenter("en", { granularity: "sentence" })

/**
 * Splits a text into sentences. A citation after a full stop belongs to the sentence before the full stop. A piece
 * without a citation is joined to the next sentence if it is short, or ends in a colon or an abbreviation.
 */
const sentencesIn = (text: string): ReadonlyArray<string> => {
  const whole: Array<string> = []
  let currentText = ""
  for (const line of text.replaceAll(citationsBehindEnd, "$2$1 ").split(/\n+/)) {
    const pieces = [...sentences.segment(line.replace(listMark, ""))]
    for (const [at, { segment }] of pieces.entries()) {
      currentText += segment
      // A full stop without a space after it is inside an address or a name, so it does not end the sentence.
      if (at < pieces.length - 1 && !/(?:\s|[。！？][」』”’]?)$/.test(segment)) continue
      const isOpen =
        /:\s*$/.test(currentText) || abbreviation.test(currentText) || wordsIn(currentText).length < wordsMin
      const isWhole = citedIn(currentText).length > 0 || !isOpen
      if (!isWhole) continue
      whole.push(currentText)
      currentText = ""
    }
    currentText += "\n"
  }
  return currentText.trim() === "" ? whole : [...whole, currentText]
}

const addressOf = (found: string) => found.replace(/^\]\(\s*/, "").replace(/[.,;:!?)\]]+$/, "")

const isSupported = (sentence: string, cited: ReadonlyArray<AnswerSource>): boolean => {
  const sourceText = cited.map(({ text, title }) => `${title}\n${text}`).join("\n")
  const sourceWords = new Set(wordsIn(sourceText))
  const words = wordsIn(sentence)
  const matchCount = words.filter((word) => sourceWords.has(word)).length
  const numbers = new Set([...numbersIn(sourceText), ...numbersIn(removeGrouping(sourceText))])
  return (
    matchCount > 0 &&
    matchCount >= words.length * shareMin &&
    numbersIn(removeGrouping(sentence)).every((number) => numbers.has(number)) &&
    (sentence.match(address) ?? []).every((each) => sourceText.includes(addressOf(each)))
  )
}

/**
 * Checks that the sources support an answer. Returns the number `n` of each source that the answer cites as `[n]`,
 * sorted. Returns undefined if the sources do not support the answer.
 */
export const citationsOf = (
  answer: string,
  sources: ReadonlyArray<AnswerSource>
): ReadonlyArray<number> | undefined => {
  if (image.test(answer)) return undefined
  const all = new Set<number>()
  for (const sentence of sentencesIn(answer)) {
    const numbers = citedIn(sentence)
    const cited = numbers.flatMap((number) => sources.at(number - 1) ?? [])
    if (numbers.length === 0 || numbers.includes(0) || cited.length < numbers.length) return undefined
    if (!isSupported(sentence, cited)) return undefined
    for (const number of numbers) all.add(number)
  }
  return all.size === 0 ? undefined : [...all].toSorted((one, other) => one - other)
}

/** Changes the numbers in the citations of an answer, so that `[n]` cites the n-th source in the list `cited`. */
export const renumberCitations = (answer: string, cited: ReadonlyArray<number>): string =>
  answer.replaceAll(citation, (each) => each.replaceAll(/\d+/g, (number) => String(cited.indexOf(Number(number)) + 1)))
