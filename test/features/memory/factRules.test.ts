/** The guards on duplicates and the rules of supersession, measured on pairs that were labelled by hand. */
import { assert, describe, it } from "@effect/vitest"
import { areNearDuplicates } from "../../../src/features/memory/NearDuplicates.ts"
import { supersedes } from "../../../src/features/memory/Supersession.ts"
import { duplicates, heldOut, nearMisses, standing, superseding } from "./labelledFacts.ts"

type Pairs = ReadonlyArray<readonly [string, string]>

/** Prints what a decision got wrong, and answers its precision and its recall. */
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

describe("labelled pairs of facts", () => {
  it("what says the same is folded, and nothing else is", () => {
    const { precision, recall } = measured("duplicates", duplicates, nearMisses, areNearDuplicates)
    assert.strictEqual(precision, 1)
    assert.isAtLeast(recall, 0.95)
  })

  it("being the same goes both ways, and every fact is the same as itself", () => {
    for (const [one, other] of [...duplicates, ...nearMisses, ...superseding, ...standing]) {
      assert.strictEqual(areNearDuplicates(one, other), areNearDuplicates(other, one), `${one} / ${other}`)
      assert.isTrue(areNearDuplicates(one, one))
    }
  })

  it("what takes the place of an older fact is found, and little else is", () => {
    const says = (older: string, newer: string) => supersedes(newer, older) !== undefined
    const { precision, recall } = measured("supersession", superseding, [...standing, ...nearMisses.slice(16)], says)
    assert.isAtLeast(precision, 0.95)
    assert.isAtLeast(recall, 0.9)
  })

  it("most of what takes the place of an older fact is found among pairs that the rules were not written on", () => {
    const says = (older: string, newer: string) => supersedes(newer, older) !== undefined
    const { precision, recall } = measured("held out", heldOut.superseding, heldOut.standing, says)
    assert.isAtLeast(precision, 0.92)
    assert.strictEqual(recall, 1)
  })

  it("a fact takes the place of neither itself nor a question", () => {
    for (const [older, newer] of [...superseding, ...standing]) {
      assert.isUndefined(supersedes(newer, newer), newer)
      assert.isUndefined(supersedes(newer, `${older}?`.replace(".?", "?")), older)
    }
  })
})
