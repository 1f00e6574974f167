/**
 * PageRank (Brin and Page 1998) of a graph. It uses each relation in both directions, because a reader can follow a
 * relation from either end.
 */
import type { Steps } from "../../platform/InSlices.ts"
import { sortedInSteps } from "./SortedInSteps.ts"

export interface Edge {
  readonly source: string
  readonly target: string
}

export interface Score {
  readonly id: string
  /** The share of this entity in the sum of all scores. The sum of all scores is 1. */
  readonly score: number
}

const damping = 0.85
const roundsMax = 100
const tolerance = 1e-9 // the computation ends after a round that changes the scores by less than this in total
const perStep = 4096 // the number of edges or entities between two pauses; they take less than a millisecond

/** Calls `visit` with each whole number from 0 to `count` - 1, with pauses. */
const eachBelow = function* (count: number, visit: (at: number) => void): Steps<void> {
  for (let begin = 0; begin < count; begin += perStep) {
    const end = Math.min(begin + perStep, count)
    for (let at = begin; at < end; at++) visit(at)
    yield
  }
}

/**
 * Sorts the numbers in `order` by their keys. The key of a number `n` is `keys[n]`. Numbers with equal keys keep their
 * order.
 */
const orderedBy = function* (keys: Uint32Array, order: Uint32Array, keysMax: number): Steps<Uint32Array> {
  const starts = new Uint32Array(keysMax + 1)
  yield* eachBelow(keys.length, (at) => starts[keys[at] + 1]++)
  yield* eachBelow(keysMax, (at) => {
    starts[at + 1] += starts[at]
  })
  const ordered = new Uint32Array(order.length)
  yield* eachBelow(order.length, (at) => {
    ordered[starts[keys[order[at]]]++] = order[at]
  })
  return ordered
}

/**
 * Returns each edge in both directions, as two numbers. `placeOf` gives each entity its number. The pairs are sorted by
 * both numbers.
 */
const pairsOf = function* (edges: ReadonlyArray<Edge>, placeOf: ReadonlyMap<string, number>) {
  const [from, to] = [new Uint32Array(edges.length * 2), new Uint32Array(edges.length * 2)]
  yield* eachBelow(edges.length, (at) => {
    const [one, other] = [placeOf.get(edges[at].source)!, placeOf.get(edges[at].target)!]
    from[2 * at] = to[2 * at + 1] = one
    to[2 * at] = from[2 * at + 1] = other
  })
  const asGiven = new Uint32Array(from.length)
  yield* eachBelow(asGiven.length, (at) => {
    asGiven[at] = at
  })
  const byEnd = yield* orderedBy(to, asGiven, placeOf.size)
  return { from, to, order: yield* orderedBy(from, byEnd, placeOf.size) }
}

/**
 * Returns the scores of all entities with an edge, highest first. Entities with equal scores are sorted by id. The
 * order of the edges does not matter. Pauses after each few thousand edges or entities.
 */
export const pageRank = function* (edges: ReadonlyArray<Edge>): Steps<ReadonlyArray<Score>> {
  const found = new Set<string>()
  yield* eachBelow(edges.length, (at) => {
    found.add(edges[at].source).add(edges[at].target)
  })
  const ids = yield* sortedInSteps([...found], (one, other) => (one < other ? -1 : 1))
  if (ids.length === 0) return []
  const placeOf = new Map<string, number>()
  yield* eachBelow(ids.length, (at) => {
    placeOf.set(ids[at], at)
  })
  const { from, order, to } = yield* pairsOf(edges, placeOf)
  const degrees = new Float64Array(ids.length)
  yield* eachBelow(order.length, (at) => {
    degrees[from[at]] += 1
  })
  let ranks = new Float64Array(ids.length).fill(1 / ids.length)
  for (let round = 0; round < roundsMax; round += 1) {
    const [last, next] = [ranks, new Float64Array(ids.length).fill((1 - damping) / ids.length)]
    yield* eachBelow(order.length, (at) => {
      const [one, other] = [from[order[at]], to[order[at]]]
      next[other] += (damping * last[one]) / degrees[one]
    })
    let change = 0
    yield* eachBelow(ids.length, (at) => {
      change += Math.abs(next[at] - last[at])
    })
    ranks = next
    if (change < tolerance) break
  }
  const scores: Array<Score> = []
  yield* eachBelow(ids.length, (at) => {
    scores.push({ id: ids[at], score: ranks[at] })
  })
  return yield* sortedInSteps(scores, (one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
}
