/** Tests the pod's computation of PageRank: its result, and how often it pauses. */
import { assert, describe, it } from "@effect/vitest"
import { pageRank } from "../../../src/features/centrality/PageRank.ts"
import { sortedInSteps } from "../../../src/features/centrality/SortedInSteps.ts"
import { runWithoutPause } from "../../../src/platform/InSlices.ts"

describe("PageRank", () => {
  it("PageRank ranks the centre of a star-shaped graph first, and gives the same scores whatever the order of the edges is", () => {
    const edges = ["a", "b", "c"].map((source) => ({ source, target: "middle" }))
    const scores = runWithoutPause(pageRank(edges))
    assert.deepStrictEqual(
      scores.map(({ id }) => id),
      ["middle", "a", "b", "c"]
    )
    assert.approximately(
      scores.reduce((sum, { score }) => sum + score, 0),
      1,
      1e-6
    )
    assert.deepStrictEqual(runWithoutPause(pageRank(edges.toReversed())), scores)
    assert.deepStrictEqual(runWithoutPause(pageRank([])), [])
  })

  it("PageRank pauses after every few thousand edges, and the pauses do not change the order of the scores", () => {
    const count = 30_000
    let read = 0
    let mostRead = 0
    const edges = Array.from({ length: count }, (_, at) => ({
      get source() {
        read++
        return `entity ${at}`
      },
      target: `entity ${(at * 7919) % (count / 10)}`
    }))
    const steps = pageRank(edges)
    let pauses = 0
    let next = steps.next()
    for (; next.done !== true; next = steps.next()) {
      pauses++
      mostRead = Math.max(mostRead, read)
      read = 0
    }
    const scores = next.value
    assert.isAtMost(mostRead, 5000)
    // Each round of the computation reads every edge in both directions, so the computation must pause many times.
    assert.isAbove(pauses, 100)
    assert.deepStrictEqual(
      scores,
      scores.toSorted((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
    )
    assert.deepStrictEqual(runWithoutPause(pageRank(edges.toReversed())), scores)
  })

  it("while the pod sorts a long ranking, it pauses at the latest after every 15,000 comparisons", () => {
    const list = Array.from({ length: 20_001 }, (_, at) => ({ key: (at * 7919) % 1000, at }))
    const compare = (one: { readonly key: number }, other: { readonly key: number }) => one.key - other.key
    let compared = 0
    let mostCompared = 0
    const steps = sortedInSteps(list, (one, other) => {
      mostCompared = Math.max(mostCompared, ++compared)
      return compare(one, other)
    })
    let next = steps.next()
    for (; next.done !== true; next = steps.next()) compared = 0
    assert.deepStrictEqual(next.value, list.toSorted(compare))
    assert.isAtMost(mostCompared, 15_000)
  })
})
