/** Compares two rankings for the same question. */
import type { RetrievalResult } from "./RetrievalResult.ts"

interface Rankable {
  readonly id: string
  readonly title: string
  readonly score: number
}

const ranksOf = (items: ReadonlyArray<Rankable>) =>
  items.map(({ id, score, title }, at) => ({ id, title, score, rank: at + 1 }))

/**
 * Compares two rankings. `overlapAtN` is the number of items that are in both rankings, divided by the length of the
 * longer ranking.
 */
export const comparisonOf = (
  before: ReadonlyArray<Rankable>,
  after: ReadonlyArray<Rankable>
): NonNullable<RetrievalResult["comparison"]> => {
  const [baseline, horizon] = [ranksOf(before), ranksOf(after)]
  const rankIn = (ranks: typeof baseline, id: string) => ranks.find((each) => each.id === id)?.rank ?? null
  const all = new Map([...horizon, ...baseline].map(({ id, title }) => [id, title]))
  const movedItems = Array.from(all, ([id, title]) => ({
    id,
    title,
    baselineRank: rankIn(baseline, id),
    horizonRank: rankIn(horizon, id)
  })).filter(({ baselineRank, horizonRank }) => baselineRank !== horizonRank)
  const common = baseline.filter(({ id }) => rankIn(horizon, id) !== null).length
  const longer = Math.max(baseline.length, horizon.length)
  return { baseline, horizon, diff: { overlapAtN: longer === 0 ? 1 : common / longer, moved: movedItems } }
}
