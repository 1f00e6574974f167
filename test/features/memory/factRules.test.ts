/**
 * Measures the checks for duplicates, and the rules that decide whether a new fact replaces an older one. Uses pairs of
 * facts that people labelled by hand.
 */
import { assert, describe, it } from "@effect/vitest"
import { areNearDuplicates } from "../../../src/features/memory/NearDuplicates.ts"
import { supersession } from "../../../src/features/memory/Supersession.ts"
import { duplicates, testPairs, nearMisses, standing, superseding } from "./labelledFacts.ts"

const supersedes = (newText: string, oldText: string) => supersession(newText)?.(oldText)

type Pairs = ReadonlyArray<readonly [string, string]>

/** Prints the pairs of facts that a decision judged wrongly. Returns the precision and the recall of the decision. */
const measured = (
  name: string,
  positives: Pairs,
  negatives: Pairs,
  says: (older: string, newer: string) => boolean
) => {
  const missed = positives.filter(([older, newer]) => !says(older, newer))
  const wrong = negatives.filter(([older, newer]) => says(older, newer))
  const right = positives.length - missed.length
  const precision = right / (right + wrong.length)
  const recall = right / positives.length
  console.log(
    `${name}: ${positives.length} positive and ${negatives.length} negative pairs, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
    { missed, wrong }
  )
  return { precision, recall }
}

describe("pairs of facts that people labelled by hand", () => {
  it("the memory rules recognize nearly all labelled pairs of facts that say the same, and no pair of facts that say different things", () => {
    const { precision, recall } = measured("duplicates", duplicates, nearMisses, areNearDuplicates)
    assert.strictEqual(precision, 1)
    assert.isAtLeast(recall, 0.95)
  })

  it("if one fact is a duplicate of another fact, the second is also a duplicate of the first, and every fact is a duplicate of itself", () => {
    for (const [one, other] of [...duplicates, ...nearMisses, ...superseding, ...standing]) {
      assert.strictEqual(areNearDuplicates(one, other), areNearDuplicates(other, one), `${one} / ${other}`)
      assert.isTrue(areNearDuplicates(one, one))
    }
  })

  it("the memory rules recognize nearly all facts that replace an older fact, and treat few other facts as replacements", () => {
    const says = (older: string, newer: string) => supersedes(newer, older) !== undefined
    const { precision, recall } = measured("supersession", superseding, [...standing, ...nearMisses.slice(16)], says)
    assert.isAtLeast(precision, 0.95)
    assert.isAtLeast(recall, 0.9)
  })

  it("for pairs of facts that were collected after the rules were written, the memory rules also recognize which fact replaces the older fact", () => {
    const says = (older: string, newer: string) => supersedes(newer, older) !== undefined
    const { precision, recall } = measured("held out", testPairs.superseding, testPairs.standing, says)
    assert.isAtLeast(precision, 0.92)
    assert.strictEqual(recall, 1)
  })

  it("a fact replaces neither a fact with the same text nor a fact that is a question", () => {
    for (const [older, newer] of [...superseding, ...standing]) {
      assert.isUndefined(supersedes(newer, newer), newer)
      assert.isUndefined(supersedes(newer, `${older}?`.replace(".?", "?")), older)
    }
  })
})
