/**
 * The contract of the search store on every engine. The store reads only rows that the caller may read. Each change has
 * an event, and the store finds the change by the number of this event.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { SearchStore } from "../../../src/features/search/SearchStore.ts"
import { anyFiling } from "../../../src/features/search/SearchBounds.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { addEntity, anEntity, changeEntity, removeEntity } from "../entities/entityCalls.ts"

const store = <A, E>(reach: ReachShape, call: (store: typeof SearchStore.Service) => Effect.Effect<A, E, any>) =>
  withReach(reach)(Effect.flatMap(SearchStore, call))

const whole = { start: 0, length: 1000 }

export const searchStoreContract = (stores: Layer.Layer<Stores>): void => {
  const check = (name: string, body: () => Effect.Effect<void, unknown, Stores>) =>
    it.effect(name, () => Effect.provide(body(), stores))

  check("the search store returns no rows of a space that the caller cannot access", () =>
    Effect.gen(function* () {
      const { reach: theirs, spaceId } = yield* aMember()
      const { id } = yield* addEntity(theirs, anEntity({ spaceId, title: "Hidden" }))
      for (const reach of [aReach(), aReach({ spaces: [spaceId], kinds: ["task"] }), aReach({ kinds: [] })]) {
        assert.deepStrictEqual(yield* store(reach, ({ readable }) => readable("entity", anyFiling, null)), [])
        assert.deepStrictEqual(yield* store(reach, ({ readable }) => readable("entity", anyFiling, [id])), [])
        assert.deepStrictEqual(yield* store(reach, ({ documentsOf }) => documentsOf(spaceId, [id])), [])
        assert.deepStrictEqual(yield* store(reach, ({ sources }) => sources(spaceId, [id])), [])
        assert.deepStrictEqual(yield* store(reach, ({ page }) => page(spaceId, "entity", null, 10)), [])
        assert.deepStrictEqual(yield* store(reach, ({ show }) => show("entity", [{ id, ...whole }])), [])
      }
      assert.deepStrictEqual(yield* store(aReach(), ({ heads }) => heads([spaceId])), [])
      assert.deepStrictEqual(yield* store(aReach(), ({ eventsAfter }) => eventsAfter(spaceId, 0, 10)), [])
    })
  )

  check(
    "the search store returns all changes after a given event number, and the current state of the changed objects",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const headOf = Effect.map(
          store(reach, ({ heads }) => heads([spaceId])),
          ([head]) => head?.seq ?? 0
        )
        const before = yield* headOf
        const one = yield* addEntity(reach, anEntity({ spaceId, title: "One" }))
        const two = yield* addEntity(reach, anEntity({ spaceId, title: "Two", description: "of two" }))
        yield* changeEntity(reach, one.id, { title: "One more" })
        yield* removeEntity(reach, two.id)
        const eventsAfter = yield* store(reach, (kept) => kept.eventsAfter(spaceId, before, 10))
        assert.deepStrictEqual(
          eventsAfter.map(({ subjectId }) => subjectId),
          [one.id, two.id, one.id, two.id]
        )
        assert.strictEqual(eventsAfter[3].seq, yield* headOf)
        assert.deepStrictEqual(yield* store(reach, (kept) => kept.eventsAfter(spaceId, eventsAfter[1].seq, 1)), [
          eventsAfter[2]
        ])
        const sources = yield* store(reach, (kept) => kept.sources(spaceId, [one.id, two.id, uuidv7()]))
        assert.deepStrictEqual(
          sources.map(({ id, title }) => [id, title]),
          [[one.id, "One more"]]
        )
      })
  )

  check("the search store returns all objects of a type in pages, ordered by id, each object once", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const made = yield* Effect.forEach(["a", "b", "c"], (title) => addEntity(reach, anEntity({ spaceId, title })))
      const first = yield* store(reach, (kept) => kept.page(spaceId, "entity", null, 2))
      const second = yield* store(reach, (kept) => kept.page(spaceId, "entity", first[1].id, 2))
      assert.deepStrictEqual(
        [...first, ...second].map(({ id }) => id),
        made.map(({ id }) => id)
      )
    })
  )

  check("the search store returns exactly the part of a text that the request asks for", () =>
    Effect.gen(function* () {
      const { personId, reach } = yield* aMember()
      const { id } = yield* addEntity(
        reach,
        anEntity({ spaceId: personId, title: "Part", description: "öäü 🌊 harbour" })
      )
      const [shown] = yield* store(reach, ({ show }) => show("entity", [{ id, start: 4, length: 3 }]))
      assert.deepStrictEqual([shown.title, shown.start, shown.text], ["Part", 4, "🌊 h"])
    })
  )
}
