/**
 * How much the best hits deal with the words of a question. A confident verdict means that the words are dealt with there,
 * not that the answer is there. A logistic model, fitted on Cranfield: 225 questions that its documents answer, and 78 of
 * other fields (area under the curve .953). Thresholds: the lowest 3 % of the first set, the highest 5 % of the second.
 */

export type Verdict = "confident" | "ambiguous" | "empty"

const constant = -3.85
const ofCoverage = 4.7
const ofNeighbours = 3.61
const ofLength = 0.79
const ambiguousFrom = 0.545
const confidentFrom = 0.767
const near = 8 // words apart at most

export interface Evidence {
  /** Content words of the question, repetitions included. */
  readonly words: number
  /** The share of the question's words that stand in a hit, weighted by how much they tell; the mean of the best three. */
  readonly coverage: number
  /** The share of neighbouring words of the question that stand near each other in the best hit; 1 for one word. */
  readonly neighbours: number
}

export const verdictOf = ({ coverage, neighbours, words }: Evidence): Verdict => {
  const z = constant + ofCoverage * coverage + ofNeighbours * neighbours + ofLength * Math.log(1 + words)
  const likelihood = 1 / (1 + Math.exp(-z))
  return likelihood < ambiguousFrom ? "empty" : likelihood >= confidentFrom ? "confident" : "ambiguous"
}

/** Of the neighbouring words of a question, how many stand near each other in a text, given as its words in order. */
export const neighboursIn = (question: ReadonlyArray<string>, text: ReadonlyArray<string>): number => {
  const pairs = question.slice(1).map((word, at) => [question[at], word] as const)
  if (pairs.length === 0) return 1
  const places = new Map<string, Array<number>>()
  const asked = new Set(question)
  for (const [at, word] of text.entries()) {
    if (!asked.has(word)) continue
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

/** Whether a place of one list is near another place of the other one. Both are in order, so each is read once. */
const areNear = (ones: ReadonlyArray<number>, others: ReadonlyArray<number>): boolean => {
  let from = 0
  return ones.some((at) => {
    while (from < others.length && others[from] < at - near) from++
    return others.slice(from, from + 2).some((place) => place !== at && place <= at + near)
  })
}
