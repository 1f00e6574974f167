/**
 * The contract of the store of vectors on each engine. The store returns only vectors that the caller may read, in the
 * order in which they were written. It returns no vector of a removed passage.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer, TestClock } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { packVector } from "../../../src/features/search/vectors/PackedVector.ts"
import { Vectors, type VectorWrite } from "../../../src/features/search/Vectors.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { addEntity, anEntity } from "../entities/entityCalls.ts"

const store = <A, E>(reach: ReachShape, call: (store: typeof Vectors.Service) => Effect.Effect<A, E, any>) =>
  withReach(reach)(Effect.flatMap(Vectors, call))

const beginning = { revision: 0, objectId: "00000000-0000-0000-0000-000000000000", start: -1 }

const vectorOf = (...numbers: ReadonlyArray<number>) => {
  const made = packVector(numbers)
  assert.isNotNull(made)
  return { scale: made.scale, bytes: made.bytes }
}

const aPassage = (objectId: string, start = 0, fingerprint = 1) => ({ objectId, start, fingerprint })

const aWrite = (spaceId: string, more: Partial<VectorWrite> = {}): VectorWrite => ({
  spaceId,
  model: "one",
  objectIds: [],
  places: [],
  vectors: [],
  seq: 1,
  isComplete: false,
  ...more
})

/** Makes a write of vectors, with one passage of each of these objects. */
const writing = (spaceId: string, objectIds: ReadonlyArray<string>, more: Partial<VectorWrite> = {}) => {
  const places = objectIds.map((id) => aPassage(id))
  const vectors = places.map((place) => ({ ...place, vector: vectorOf(1, -2, 3) }))
  return aWrite(spaceId, { objectIds, places, vectors, ...more })
}

export const vectorsContract = (stores: Layer.Layer<Stores>): void => {
  const check = (name: string, body: () => Effect.Effect<void, unknown, Stores>) =>
    it.effect(name, () => Effect.provide(body(), stores))

  check("a caller can neither read nor write vectors in a space that the caller cannot access", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const id = uuidv7()
      yield* store(aReach(), ({ keep }) => keep(writing(spaceId, [id])))
      assert.deepStrictEqual(yield* store(reach, ({ heads }) => heads("one", [spaceId])), [])
      yield* store(reach, ({ keep }) => keep(writing(spaceId, [id])))
      assert.deepStrictEqual(yield* store(aReach(), ({ heads }) => heads("one", [spaceId])), [])
      assert.deepStrictEqual(yield* store(aReach(), ({ placesOf }) => placesOf("one", spaceId, [id])), [])
      assert.deepStrictEqual(yield* store(aReach(), ({ since }) => since("one", spaceId, beginning, 10)), [])
    })
  )

  check("the vector store returns vectors in the order in which they were written, each vector on only one page", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const [first, second, third] = [uuidv7(), uuidv7(), uuidv7()]
      yield* store(reach, ({ keep }) => keep(writing(spaceId, [second, third])))
      yield* store(reach, ({ keep }) => keep(writing(spaceId, [first])))
      const page = yield* store(reach, ({ since }) => since("one", spaceId, beginning, 2))
      const rest = yield* store(reach, ({ since }) => since("one", spaceId, page[1], 2))
      assert.deepStrictEqual(
        [...page, ...rest].map(({ objectId, revision }) => [objectId, revision]),
        [
          [second, 1],
          [third, 1],
          [first, 2]
        ]
      )
      assert.deepStrictEqual([...page[0].vector.bytes], [...vectorOf(1, -2, 3).bytes])
      assert.strictEqual(page[0].vector.scale, vectorOf(1, -2, 3).scale)
    })
  )

  check(
    "a write to the vector store replaces the vector of a passage and deletes the vectors of passages that no longer exist",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const [kept, other] = [uuidv7(), uuidv7()]
        const places = [aPassage(kept), aPassage(kept, 600)]
        const vectors = places.map((place) => ({ ...place, vector: vectorOf(1, 1) }))
        yield* store(reach, (all) => all.keep(aWrite(spaceId, { objectIds: [kept], places, vectors })))
        yield* store(reach, ({ keep }) => keep(writing(spaceId, [other])))
        const changed = aPassage(kept, 0, 2)
        const write = { objectIds: [kept], places: [changed], vectors: [{ ...changed, vector: vectorOf(5, 6) }] }
        yield* store(reach, ({ keep }) => keep(aWrite(spaceId, write)))
        const placesNow = yield* store(reach, ({ placesOf }) => placesOf("one", spaceId, [kept, other]))
        assert.sameDeepMembers(
          placesNow.map(({ fingerprint, objectId, start }) => ({ objectId, start, fingerprint })),
          [changed, aPassage(other)]
        )
        yield* store(reach, ({ keep }) => keep(aWrite(spaceId, { objectIds: [kept] })))
        const left = yield* store(reach, ({ since }) => since("one", spaceId, beginning, 10))
        assert.deepStrictEqual(
          left.map(({ objectId }) => objectId),
          [other]
        )
      })
  )

  check(
    "the vector store never decreases the number of the last event that a model has read, and keeps a separate number for each model and space",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const headOf = (model: string) =>
          Effect.map(
            store(reach, ({ heads }) => heads(model, [spaceId])),
            ([head]) => head && [head.seq, head.revision, head.isComplete]
          )
        yield* store(reach, ({ keep }) => keep(aWrite(spaceId, { seq: 7, isComplete: true })))
        yield* store(reach, ({ keep }) => keep(aWrite(spaceId, { seq: 3, isComplete: false })))
        assert.deepStrictEqual(yield* headOf("one"), [7, 2, true])
        assert.isUndefined(yield* headOf("two"))
        yield* store(reach, ({ keep }) => keep(writing(spaceId, [uuidv7()], { model: "two", seq: 2 })))
        assert.deepStrictEqual(yield* headOf("two"), [2, 1, false])
        assert.deepStrictEqual(yield* store(reach, ({ since }) => since("one", spaceId, beginning, 10)), [])
      })
  )

  check(
    "the vector store lists a space as unfinished until the embedding model has read the last event of the space",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const model = uuidv7()
        yield* addEntity(reach, anEntity({ spaceId, title: "One" }))
        const isBehind = Effect.map(
          Effect.flatMap(Vectors, ({ spacesWithUnread }) => spacesWithUnread(model, 10_000)),
          (spaces) => spaces.includes(spaceId)
        )
        assert.isTrue(yield* isBehind)
        const before = yield* Effect.flatMap(Vectors, ({ progress }) => progress(model))
        yield* store(reach, ({ keep }) => keep(aWrite(spaceId, { model, seq: 10_000, isComplete: false })))
        assert.isTrue(yield* isBehind)
        yield* store(reach, ({ keep }) => keep(aWrite(spaceId, { model, seq: 10_000, isComplete: true })))
        assert.isFalse(yield* isBehind)
        assert.isAbove(yield* Effect.flatMap(Vectors, ({ progress }) => progress(model)), before)
        yield* addEntity(reach, anEntity({ spaceId, title: "Two" }))
        assert.isFalse(yield* isBehind)
        assert.deepStrictEqual(
          yield* Effect.flatMap(Vectors, ({ spacesWithUnread }) => spacesWithUnread(uuidv7(), 1)).pipe(
            Effect.map(({ length }) => length)
          ),
          1
        )
      })
  )

  check(
    "the list of unfinished spaces begins with the spaces that the embedding model has not begun to read, followed by the spaces that have waited longest",
    () =>
      Effect.gen(function* () {
        const model = uuidv7()
        const [one, two, unbegun] = [yield* aMember(), yield* aMember(), yield* aMember()]
        const spaces = [one, two, unbegun].map(({ spaceId }) => spaceId)
        for (const { reach, spaceId } of [one, two, unbegun]) yield* addEntity(reach, anEntity({ spaceId }))
        const embed = ({ reach, spaceId }: typeof one) =>
          Effect.zipRight(
            store(reach, ({ keep }) => keep(aWrite(spaceId, { model }))),
            TestClock.adjust("1 second")
          )
        const waiting = Effect.map(
          Effect.flatMap(Vectors, ({ spacesWithUnread }) => spacesWithUnread(model, 10_000)),
          (all) => all.map((id) => spaces.indexOf(id)).filter((at) => at >= 0)
        )
        yield* embed(two)
        yield* embed(one)
        assert.deepStrictEqual(yield* waiting, [2, 1, 0])
        yield* embed(two)
        assert.deepStrictEqual(yield* waiting, [2, 0, 1])
      })
  )
}
