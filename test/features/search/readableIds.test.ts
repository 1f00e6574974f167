/** The cache of the ids that callers may find has a limit, whatever callers ask for. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { emptyBounds, Reach } from "../../../src/doors/Reach.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { indexReach } from "../../../src/features/search/IndexReach.ts"
import { ReadableIds } from "../../../src/features/search/ReadableIds.ts"
import { SearchStore } from "../../../src/features/search/SearchStore.ts"

it.effect("attack: lists of ids that are empty take room in the cache too, so the pod forgets the oldest list", () => {
  let reads = 0
  const store = Layer.mock(SearchStore, {
    readable: () =>
      Effect.sync(() => {
        reads += 1
        return []
      })
  })
  return Effect.gen(function* () {
    const { of } = yield* ReadableIds
    const projects = Array.from({ length: 9_999 }, () => uuidv7())
    /** Asks for the objects in these projects and one more. No object is in any of them. */
    const ask = (one: string) => of("entity", emptyBounds, { in: [...projects, one], notIn: [] }, [])
    yield* ask("first")
    yield* ask("first")
    assert.strictEqual(reads, 1)
    for (let at = 0; at < 100; at++) yield* ask(`${at}`)
    yield* ask("99")
    assert.strictEqual(reads, 101)
    yield* ask("first")
    assert.strictEqual(reads, 102)
  }).pipe(Effect.provide(Layer.provide(ReadableIds.layer, store)), Effect.provideService(Reach, indexReach([])))
})
