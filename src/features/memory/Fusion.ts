/** Mixes the ranking by words with the ranking by meaning: .8 and .2 of the scores, each between its least and its best. */
import { type Scored, TopScores } from "./TopScores.ts"

export const legMost = 200 // entries of each ranking that are mixed
const wordShare = 0.8

const leveled = (ranking: ReadonlyArray<Scored>): ReadonlyMap<string, number> => {
  const best = ranking[0]?.score ?? 0
  const least = ranking.at(-1)?.score ?? 0
  return new Map(ranking.map(({ id, score }) => [id, best === least ? 1 : (score - least) / (best - least)]))
}

/** Both rankings have their best entry first; so has the answer. */
export const fused = (
  byWords: ReadonlyArray<Scored>,
  byMeaning: ReadonlyArray<Scored>,
  most: number
): ReadonlyArray<Scored> => {
  const [words, meaning] = [leveled(byWords.slice(0, legMost)), leveled(byMeaning.slice(0, legMost))]
  const top = new TopScores(most)
  for (const id of new Set([...words.keys(), ...meaning.keys()])) {
    top.add({ id, score: wordShare * (words.get(id) ?? 0) + (1 - wordShare) * (meaning.get(id) ?? 0) })
  }
  return top.best
}
