/** A search and a change of the index pause often, so that a large space does not hold up other requests. */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { mergeRankings } from "../../../../src/features/search/AskSpaces.ts"
import { askEach } from "../../../../src/features/search/AskedSpace.ts"
import { PostingIndex } from "../../../../src/features/search/postings/PostingIndex.ts"
import { questionOf } from "../../../../src/features/search/text/Question.ts"
import { entriesPerStep } from "../../../../src/platform/InSlices.ts"
import { aText } from "./corpus.ts"

const count = 5 * entriesPerStep
const idOf = (at: number) => String(at).padStart(6, "0")
const put = (index: PostingIndex, at: number) =>
  index.put(aText({ id: idOf(at), title: "report", text: `quay crane harbour ${at % 3 === 0 ? "tide" : "wind"}` }))

/** Runs all steps. Returns how often they paused, and their result. */
const run = <A>(steps: Generator<unknown, A, void>): { readonly pauses: number; readonly result: A } => {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = steps.next()
    if (done === true) return { pauses, result: value }
  }
}

const asked = (index: PostingIndex, query: string) => {
  const question = questionOf(query)
  const bounds = { spaces: ["space"], kinds: null, objects: null, projects: null }
  const slices = run(
    askEach([{ spaceId: "space", language: "english", index, vectors: null }], {
      question,
      readable: [{ type: "document", bounds }],
      ids: new Map(),
      readsFacetsIn: () => true
    })
  )
  return { slices, ranked: run(mergeRankings(slices.result, question, { limit: 50, byWordsAlone: false })) }
}

describe("the steps of a search in a large index", () => {
  const index = new PostingIndex()
  beforeAll(() => {
    for (let at = 0; at < count; at++) put(index, at)
  })

  const steps = count / entriesPerStep
  // To read one entry for each text of the index, a search pauses `steps` times. The search for a question reads at
  // least `lists` times as many entries.
  const questions: ReadonlyArray<readonly [query: string, lists: number]> = [
    ["report", 2],
    ["tide -report", 2],
    ['"quay crane"', 5],
    ['"quay crane" "crane harbour" -tide', 8]
  ]
  for (const [query, lists] of questions) {
    it(`a search for the question “${query}” pauses after each part of the index`, () => {
      assert.isAtLeast(asked(index, query).ranked.pauses, lists * steps)
    })
  }

  it("the first search in an index reads all visible passages, with a pause after each part, and later searches read only new passages", () => {
    assert.isAtLeast(asked(index, "type:document quay").slices.pauses, steps)
    put(index, 3)
    assert.isAtMost(asked(index, "type:document quay").slices.pauses, 3)
  })

  it("search results with equal scores are ordered by their ids, even if one of the texts was written later", () => {
    put(index, 1)
    const { candidates } = asked(index, '"quay crane" -tide').ranked.result
    assert.deepStrictEqual(
      candidates.slice(0, 3).map(({ passage }) => passage.object.id),
      [idOf(1), idOf(2), idOf(4)]
    )
  })

  it("in a search, a word with a minus leaves out all passages of each text that contains the word, and a phrase across the border of two passages selects both passages", () => {
    const fresh = new PostingIndex()
    const filler = "wind ".repeat(1197).trim()
    fresh.put(aText({ id: "a", title: "", text: `anchor ${filler} rusty schooner ${filler} tide` }))
    fresh.put(aText({ id: "b", title: "", text: "anchor" }))
    const found = (query: string) =>
      asked(fresh, query).ranked.result.candidates.map(({ passage }) => [passage.object.id, passage.start > 0])
    assert.deepStrictEqual(found("anchor -tide"), [["b", false]])
    assert.sameDeepMembers(found('"rusty schooner"'), [
      ["a", false],
      ["a", true]
    ])
    fresh.remove("b")
    const [{ slice }] = asked(fresh, "anchor").slices.result
    assert.deepStrictEqual([slice.passages, slice.frequency("anchor")], [2, 1])
  })

  it("a search index deletes the entries of removed passages in steps with pauses, and counts them until the last step", () => {
    const fresh = new PostingIndex()
    for (let at = 0; at < count; at++) put(fresh, at)
    for (let at = 0; at < count / 2; at++) fresh.remove(idOf(at))
    let pauses = 0
    for (const change of fresh.putInSteps(aText({ id: "new", title: "report", text: "quay" }))) {
      if (change === undefined) {
        pauses++
        assert.strictEqual(fresh.postingsOf("quay")?.count, count + 1)
      } else change()
    }
    assert.isAtLeast(pauses, steps)
    assert.strictEqual(fresh.postingsOf("quay")?.count, count / 2 + 1)
    assert.strictEqual(fresh.size, count / 2 + 1)
  })
})
