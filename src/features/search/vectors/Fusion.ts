/** Mixes a ranking by words with a ranking by vectors. */

/** How many entries of each ranking are mixed. */
export const fusedMost = 200

/** A ranking, best first. */
export type Leg = ReadonlyArray<readonly [name: string, score: number]>

/** Scores between 0 for the last and 1 for the best, because the two rankings count in different measures. */
const leveled = (leg: Leg): ReadonlyMap<string, number> => {
  const [[, best] = ["", 0], [, least] = ["", 0]] = [leg.at(0), leg.at(-1)]
  return new Map(leg.map(([name, score]) => [name, best === least ? 1 : (score - least) / (best - least)]))
}

/** The mixed scores, by name, in no order. `share`: how much the vectors count, from 0 to 1. */
export const fused = (byWords: Leg, byVectors: Leg, share: number): ReadonlyMap<string, number> => {
  const [words, vectors] = [leveled(byWords.slice(0, fusedMost)), leveled(byVectors.slice(0, fusedMost))]
  const names = new Set([...words.keys(), ...vectors.keys()])
  return new Map(
    Array.from(names, (name) => [name, (1 - share) * (words.get(name) ?? 0) + share * (vectors.get(name) ?? 0)])
  )
}
