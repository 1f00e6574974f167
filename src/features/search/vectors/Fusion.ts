/** Merges a ranking by words and a ranking by vectors. */

/** The most entries of each ranking that are merged. The best entries are taken. */
export const fusedMost = 200

/** A ranking: names with scores, best first. */
export type Leg = ReadonlyArray<readonly [name: string, score: number]>

/**
 * Scales the scores of a ranking, so that the last entry has 0 and the best has 1. Without this, the scores of the
 * ranking by words and of the ranking by vectors cannot be compared.
 */
const leveled = (leg: Leg): ReadonlyMap<string, number> => {
  const [[, best] = ["", 0], [, least] = ["", 0]] = [leg.at(0), leg.at(-1)]
  return new Map(leg.map(([name, score]) => [name, best === least ? 1 : (score - least) / (best - least)]))
}

/**
 * Merges the scores of both rankings and returns them by name, in no particular order. `share` is how much the vectors
 * count in a score, from 0 to 1.
 */
export const fused = (byWords: Leg, byVectors: Leg, share: number): ReadonlyMap<string, number> => {
  const [words, vectors] = [leveled(byWords.slice(0, fusedMost)), leveled(byVectors.slice(0, fusedMost))]
  const names = new Set([...words.keys(), ...vectors.keys()])
  return new Map(
    Array.from(names, (name) => [name, (1 - share) * (words.get(name) ?? 0) + share * (vectors.get(name) ?? 0)])
  )
}
