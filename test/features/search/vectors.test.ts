/**
 * The vectors of a space in memory: a question finds the nearest visible passages by the vectors of their current
 * texts.
 */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { PostingIndex } from "../../../src/features/search/postings/PostingIndex.ts"
import { runWithoutPause } from "../../../src/platform/InSlices.ts"
import { sliceOf } from "../../../src/features/search/postings/Visible.ts"
import { toIndexedObject, passagesToEmbed, type Source } from "../../../src/features/search/Source.ts"
import { cosine, packVector } from "../../../src/features/search/vectors/PackedVector.ts"
import { SpaceVectors } from "../../../src/features/search/vectors/SpaceVectors.ts"
import { VectorIndex } from "../../../src/features/search/vectors/VectorIndex.ts"
import { aSource } from "./postings/corpus.ts"

const dimensions = 40
const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
const vectorOf = (given: ReadonlyArray<number>) => {
  const made = packVector(given)
  assert.isNotNull(made)
  return made
}
const idOf = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, "0")}`

/** Many vectors. They are the same in each run of the tests. */
const many = (count: number): ReadonlyArray<ReadonlyArray<number>> => {
  let state = 42
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648 - 0.5
  return Array.from({ length: count }, () => Array.from({ length: dimensions }, next))
}

describe("the search for the nearest vectors", () => {
  it("the vector index finds nothing for a question whose vector has another length or only zeros", () => {
    const index = new VectorIndex(dimensions)
    index.put({ id: "a", ...vectorOf(many(1)[0]) })
    assert.deepStrictEqual(
      index.nearest([1, 2], 5, () => true),
      []
    )
    assert.deepStrictEqual(
      index.nearest(
        Array.from({ length: dimensions }, () => 0),
        5,
        () => true
      ),
      []
    )
  })

  it("the vector index finds the same best vectors whether or not it also contains vectors that the search must leave out", () =>
    fc.assert(
      fc.property(
        fc.array(
          numbers.filter((each) => each.some((one) => Math.abs(one) > 0.01)),
          { minLength: 1, maxLength: 60 }
        ),
        numbers,
        (all, question) => {
          fc.pre(question.some((each) => Math.abs(each) > 0.01))
          const isWanted = (id: string) => Number(id) % 3 !== 0
          const mixed = new VectorIndex(dimensions)
          const alone = new VectorIndex(dimensions)
          for (const [at, each] of all.entries()) {
            mixed.put({ id: String(at), ...vectorOf(each) })
            if (isWanted(String(at))) alone.put({ id: String(at), ...vectorOf(each) })
          }
          const found = mixed.nearest(question, 30, isWanted)
          assert.deepStrictEqual(
            found,
            alone.nearest(question, 30, () => true)
          )
          for (const { id, score } of found) assert.closeTo(score, cosine(question, all[Number(id)]), 0.02)
          assert.strictEqual(found.length, Math.min(60, all.filter((_, at) => isWanted(String(at))).length))
        }
      )
    ))

  it("among thousands of vectors, a fast comparison that uses only the sign (plus or minus) of each number finds almost all of the ten nearest vectors", () => {
    const all = many(5000)
    const index = new VectorIndex(dimensions)
    for (const [at, each] of all.entries()) index.put({ id: String(at), ...vectorOf(each) })
    const questions = many(5020).slice(5000)
    const found = questions.map((question) => {
      const best = all
        .map((each, at) => ({ id: String(at), score: cosine(question, each) }))
        .toSorted((one, other) => other.score - one.score)
        .slice(0, 10)
      const near = new Set(index.nearest(question, 100, () => true).map(({ id }) => id))
      return best.filter(({ id }) => near.has(id)).length
    })
    assert.isAtLeast(found.reduce((sum, each) => sum + each, 0) / (10 * questions.length), 0.95)
  })
})

describe("the vectors of a space", () => {
  const put = (
    index: PostingIndex,
    vectors: SpaceVectors,
    source: Source,
    revision: number,
    given: ReadonlyArray<number>
  ) => {
    index.put(toIndexedObject(source, "english"))
    vectors.put(passagesToEmbed(source).map((place) => ({ ...place, revision, vector: vectorOf(given) })))
  }
  const east = many(1)[0]
  const found = (index: PostingIndex, vectors: SpaceVectors, isVisible = () => true) =>
    runWithoutPause(
      vectors.nearest(Float32Array.from(east), 10, runWithoutPause(sliceOf(index, { isVisible, withFacets: false })))
    ).map(({ passage }) => passage.object.id)

  it("a search by vectors does not find a passage whose text has changed, a passage that was removed, or a passage that the caller may not see", () => {
    const [index, vectors] = [new PostingIndex(), new SpaceVectors("model")]
    put(index, vectors, aSource({ id: idOf(1), title: "One" }), 1, east)
    put(index, vectors, aSource({ id: idOf(2), title: "Two" }), 2, east)
    assert.deepStrictEqual(found(index, vectors), [idOf(1), idOf(2)])
    assert.deepStrictEqual(
      found(index, vectors, () => false),
      []
    )
    index.put(toIndexedObject(aSource({ id: idOf(1), title: "One, changed" }), "english"))
    index.remove(idOf(2))
    assert.deepStrictEqual(found(index, vectors), [])
    put(index, vectors, aSource({ id: idOf(1), title: "One, changed" }), 3, east)
    assert.deepStrictEqual(found(index, vectors), [idOf(1)])
  })

  it("a search by vectors still finds a passage after the index of words was compacted, and ignores a vector of another length", () => {
    const [index, vectors] = [new PostingIndex(), new SpaceVectors("model")]
    for (let at = 0; at < 1500; at++)
      index.put(toIndexedObject(aSource({ id: idOf(at + 100), text: "crane" }), "english"))
    put(index, vectors, aSource({ id: idOf(1), title: "One" }), 1, east)
    put(index, vectors, aSource({ id: idOf(2), title: "Two" }), 2, [1, 2, 3])
    assert.deepStrictEqual(found(index, vectors), [idOf(1)])
    const before = index.placesOf(idOf(1))
    for (let at = 0; at < 1500; at++) index.remove(idOf(at + 100))
    put(index, vectors, aSource({ id: idOf(3), title: "Three" }), 3, east)
    assert.notDeepEqual(index.placesOf(idOf(1)), before)
    assert.deepStrictEqual(found(index, vectors), [idOf(1), idOf(3)])
    assert.isFalse(vectors.holds({ model: "model", vector: Float32Array.from([1, 2, 3]) }))
    assert.isTrue(vectors.holds({ model: "model", vector: Float32Array.from(east) }))
    assert.isFalse(vectors.holds({ model: "another model", vector: Float32Array.from(east) }))
  })
})
