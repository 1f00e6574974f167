/**
 * Measures the quality of a ranking by nDCG@10 and recall@100. Each document that answers the question has a gain of
 * one.
 */
import type { CollectionQuestion } from "./collection.ts"

export interface Quality {
  readonly ndcg10: number
  readonly recall100: number
}

const gainAt = (place: number): number => 1 / Math.log2(place + 2)

/** Returns the quality of a ranking. `ranking` has the numbers of the found documents, best first. */
export const qualityOf = (ranking: ReadonlyArray<number>, relevant: ReadonlySet<number>): Quality => {
  if (relevant.size === 0) return { ndcg10: 0, recall100: 0 }
  const gain = ranking.slice(0, 10).reduce((sum, each, place) => sum + (relevant.has(each) ? gainAt(place) : 0), 0)
  const ideal = Array.from({ length: Math.min(10, relevant.size) }, (_, place) => gainAt(place))
  const found = ranking.slice(0, 100).filter((each) => relevant.has(each)).length
  return { ndcg10: gain / ideal.reduce((sum, each) => sum + each, 0), recall100: found / relevant.size }
}

export interface Answered extends Quality {
  readonly question: CollectionQuestion
  readonly ranking: ReadonlyArray<number>
  readonly verdict: string
  readonly wallMs: number
  readonly cpuMs: number
}

const meanOf = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length)

export const meanQuality = (answers: ReadonlyArray<Quality>): Quality => ({
  ndcg10: meanOf(answers.map(({ ndcg10 }) => ndcg10)),
  recall100: meanOf(answers.map(({ recall100 }) => recall100))
})

/** Returns the value below which the given share of all values lies. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const inOrder = values.toSorted((one, other) => one - other)
  return inOrder[Math.min(inOrder.length - 1, Math.floor(share * inOrder.length))] ?? NaN
}

/** Returns the text `p50 / p95` for the values, with two digits after the decimal point. */
export const quantiles = (values: ReadonlyArray<number>): string =>
  `${quantile(values, 0.5).toFixed(2)} / ${quantile(values, 0.95).toFixed(2)}`
