/**
 * Judges whether the best hits are about the words of a question. The verdict `confident` does not mean that the hits
 * contain the answer. The verdict comes from a logistic model, which was fitted on the Cranfield collection with two
 * groups of questions. The documents of the collection answer the 225 questions of the first group. The 78 questions of
 * the second group are about other fields. The area under the ROC curve is .953. Of the first group, 3 % of the
 * questions have a likelihood below `ambiguousFrom`. Of the second group, 5 % of the questions have a likelihood of
 * `confidentFrom` or more.
 */

export type Verdict = "confident" | "ambiguous" | "empty"

const constant = -3.85
const ofCoverage = 4.7
const ofNeighbours = 3.61
const ofLength = 0.79
const ambiguousFrom = 0.545
const confidentFrom = 0.767
// two words are near each other if the distance between them is at most this number of words
const nearWordsMax = 8

export interface Evidence {
  /** The number of content words in the question. A repeated word counts each time. */
  readonly words: number
  /**
   * The share of the question's words that a hit contains, as the mean over the best three hits. Rare words have more
   * weight.
   */
  readonly coverage: number
  /**
   * How many of the pairs of neighbouring words in the question are also near each other in the best hit, as a share
   * from 0 to 1. The share is 1 if the question has only one word.
   */
  readonly neighbours: number
}

export const verdictOf = ({ coverage, neighbours, words }: Evidence): Verdict => {
  const z = constant + ofCoverage * coverage + ofNeighbours * neighbours + ofLength * Math.log(1 + words)
  const likelihood = 1 / (1 + Math.exp(-z))
  return likelihood < ambiguousFrom ? "empty" : likelihood >= confidentFrom ? "confident" : "ambiguous"
}

/**
 * Counts the pairs of neighbouring words in a question. Returns the share of these pairs whose words are near each
 * other in a text. `text` is the list of the words of the text, in order.
 */
export const neighboursIn = (question: ReadonlyArray<string>, text: ReadonlyArray<string>): number => {
  const pairs = question.slice(1).map((word, at) => [question[at], word] as const)
  if (pairs.length === 0) return 1
  const places = new Map<string, Array<number>>()
  const questionWords = new Set(question)
  for (const [at, word] of text.entries()) {
    if (!questionWords.has(word)) continue
    const found = places.get(word)
    if (found === undefined) places.set(word, [at])
    else found.push(at)
  }
  const known = new Map<string, boolean>()
  const together = pairs.filter(([one, other]) => {
    const name = `${one} ${other}`
    let isNear = known.get(name)
    if (isNear === undefined) known.set(name, (isNear = areNear(places.get(one) ?? [], places.get(other) ?? [])))
    return isNear
  })
  return together.length / pairs.length
}

/**
 * Returns true if a number in one list is near a number in the other list. Both lists are sorted, so each list is read
 * only once.
 */
const areNear = (ones: ReadonlyArray<number>, others: ReadonlyArray<number>): boolean => {
  let from = 0
  return ones.some((at) => {
    while (from < others.length && others[from] < at - nearWordsMax) from++
    return others.slice(from, from + 2).some((place) => place !== at && place <= at + nearWordsMax)
  })
}
