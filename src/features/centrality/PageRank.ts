/**
 * PageRank (Brin and Page 1998) of a graph whose relations count in both directions, because a reader can find each end
 * from the other.
 */

export interface Edge {
  readonly source: string
  readonly target: string
}

export interface Score {
  readonly id: string
  /** The sum of all scores is 1. */
  readonly score: number
}

const damping = 0.85
const roundsMost = 100
const tolerance = 1e-9 // if the scores change in one round by less than this sum, the computation ends

/**
 * The scores of all entities with an edge, highest first; entities with equal scores are ordered by id. The order of
 * the edges does not matter.
 */
export const pageRank = (edges: ReadonlyArray<Edge>): ReadonlyArray<Score> => {
  const ids = [...new Set(edges.flatMap(({ source, target }) => [source, target]))].sort()
  if (ids.length === 0) return []
  const placeOf = new Map(ids.map((id, place) => [id, place]))
  const pairs = edges
    .flatMap(({ source, target }) => {
      const [one, other] = [placeOf.get(source)!, placeOf.get(target)!]
      return [[one, other] as const, [other, one] as const]
    })
    .sort(([one, to], [other, toOther]) => one - other || to - toOther)
  const degrees = new Float64Array(ids.length)
  for (const [from] of pairs) degrees[from] += 1
  let ranks = new Float64Array(ids.length).fill(1 / ids.length)
  for (let round = 0; round < roundsMost; round += 1) {
    const next = new Float64Array(ids.length).fill((1 - damping) / ids.length)
    for (const [from, to] of pairs) next[to] += (damping * ranks[from]) / degrees[from]
    const change = next.reduce((sum, rank, at) => sum + Math.abs(rank - ranks[at]), 0)
    ranks = next
    if (change < tolerance) break
  }
  return ids
    .map((id, at) => ({ id, score: ranks[at] }))
    .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
}
