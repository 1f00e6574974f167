/** Mixes a ranking by words with a ranking by vectors. */

/** How many entries of each ranking, from the best on, go into the mixed ranking. */
export const fusedMost = 200

/** A ranking: names with scores, best first. */
export type Leg = ReadonlyArray<readonly [name: string, score: number]>

/** Scales the scores so that the last entry has 0 and the best entry has 1, because the two rankings have different units. */
const leveled = (leg: Leg): ReadonlyMap<string, number> => {
  const [[, best] = ["", 0], [, least] = ["", 0]] = [leg.at(0), leg.at(-1)]
  return new Map(leg.map(([name, score]) => [name, best === least ? 1 : (score - least) / (best - least)]))
}

/** The mixed scores by name, in no particular order. `share` is the share of the vectors in a score, from 0 to 1. */
export const fused = (byWords: Leg, byVectors: Leg, share: number): ReadonlyMap<string, number> => {
  const [words, vectors] = [leveled(byWords.slice(0, fusedMost)), leveled(byVectors.slice(0, fusedMost))]
  const names = new Set([...words.keys(), ...vectors.keys()])
  return new Map(
    Array.from(names, (name) => [name, (1 - share) * (words.get(name) ?? 0) + share * (vectors.get(name) ?? 0)])
  )
}
