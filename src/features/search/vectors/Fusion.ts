/** Merges two rankings: one by words, and one by vectors. */

/** The maximum number of entries that the merge takes from each ranking. It takes the best entries. */
export const rankingEntriesMax = 200

/** A ranking: a list of names with scores, best first. */
export type ScoredNames = ReadonlyArray<readonly [name: string, score: number]>

/**
 * Scales the scores of a ranking to the range from 0 (last entry) to 1 (best entry). Scores by words and scores by
 * vectors can be compared only after this.
 */
const normalizeScores = (ranking: ScoredNames): ReadonlyMap<string, number> => {
  const [[, best] = ["", 0], [, worst] = ["", 0]] = [ranking.at(0), ranking.at(-1)]
  return new Map(ranking.map(([name, score]) => [name, best === worst ? 1 : (score - worst) / (best - worst)]))
}

/**
 * Merges both rankings and returns the score of each name. The result is not sorted. `share` is the weight of the
 * vectors in a score, from 0 to 1.
 */
export const fuseRankings = (
  byWords: ScoredNames,
  byVectors: ScoredNames,
  share: number
): ReadonlyMap<string, number> => {
  const [words, vectors] = [
    normalizeScores(byWords.slice(0, rankingEntriesMax)),
    normalizeScores(byVectors.slice(0, rankingEntriesMax))
  ]
  const names = new Set([...words.keys(), ...vectors.keys()])
  return new Map(
    Array.from(names, (name) => [name, (1 - share) * (words.get(name) ?? 0) + share * (vectors.get(name) ?? 0)])
  )
}
