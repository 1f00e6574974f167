/**
 * Which earlier versions every store of knowledge entries keeps, and which version a change refers to. The tests run on
 * memory, PGlite and PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { EventLog } from "../../../src/features/events/EventLog.ts"
import { KnowledgeStore } from "../../../src/features/knowledge/KnowledgeStore.ts"
import { aReach } from "../../support/reach.ts"
import { withReach } from "../../support/stores.ts"
import {
  addEntry,
  anEntry,
  archiving,
  aWorkspace,
  changeEntry,
  eventsOf,
  getEntry,
  type Spaces
} from "./knowledgeStore.contract.ts"

export const knowledgeVersionsContract = (stores: Layer.Layer<KnowledgeStore | EventLog | Spaces>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, KnowledgeStore | EventLog | Spaces>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "each write of a knowledge entry stores a version with the id of its event, and every reader of the entry can page through the versions",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      const store = yield* KnowledgeStore
      const entry = yield* addEntry(owner, anEntry({ spaceId, value: 1, namespace: "ops" }))
      const another = aReach({ spaces: [spaceId] })
      yield* changeEntry(another, spaceId, { fields: { value: 2, author: "another" } })
      yield* changeEntry(owner, spaceId, archiving)
      yield* changeEntry(owner, spaceId, { from: "live" })
      const place = { spaceId, key: "deploy" }
      const { items, next } = yield* withReach(owner)(store.versions(place, { limit: 50 }))
      assert.isNull(next)
      const { personId } = owner.principal
      assert.deepStrictEqual(
        items.map(({ at: _at, eventId: _event, slug: _slug, ...left }) => left),
        [
          { version: 3, value: 2, status: "archived", author: "another", namespace: "ops", actorId: personId },
          {
            version: 2,
            value: 2,
            status: "active",
            author: "another",
            namespace: "ops",
            actorId: another.principal.personId
          },
          { version: 1, value: 1, status: "active", author: entry.author, namespace: "ops", actorId: personId }
        ]
      )
      const written = [...(yield* eventsOf(owner)), ...(yield* eventsOf(another))].map(({ id }) => id)
      assert.sameMembers(
        items.map(({ eventId }) => eventId),
        written
      )
      const first = yield* withReach(owner)(store.versions(place, { limit: 2 }))
      assert.deepStrictEqual(first.items, items.slice(0, 2))
      assert.isNotNull(first.next)
      const cursor = { at: null, id: items[1].eventId ?? "" }
      const second = yield* withReach(owner)(store.versions(place, { limit: 2, cursor }))
      assert.deepStrictEqual(second, { items: items.slice(2), next: null })
      const nothing = { items: [], next: null }
      assert.deepStrictEqual(yield* withReach(aReach())(store.versions(place, { limit: 2 })), nothing)
      const narrow = aReach({ kinds: ["task"], personId, spaces: [spaceId] })
      assert.deepStrictEqual(yield* withReach(narrow)(store.versions(place, { limit: 2 })), nothing)
    })
  )

  rule(
    "if a caller expects another version of a knowledge entry than the stored version, the knowledge store refuses the write and changes nothing",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      const entry = yield* addEntry(owner, anEntry({ spaceId }))
      assert.isNull(yield* changeEntry(owner, spaceId, { version: 2 }))
      assert.deepStrictEqual(yield* getEntry(owner, spaceId), entry)
      assert.strictEqual((yield* changeEntry(owner, spaceId, { version: 1 }))?.version, 2)
      assert.isNull(yield* changeEntry(owner, spaceId, { version: 1 }))
      assert.lengthOf(yield* eventsOf(owner), 2)
    })
  )

  rule(
    "if a knowledge entry is not in the state (archived or not archived) that a change requires, the knowledge store changes nothing and writes no event",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      yield* addEntry(owner, anEntry({ spaceId }))
      assert.deepStrictEqual(yield* changeEntry(owner, spaceId, { from: "archived" }), null)
      assert.isNotNull(yield* changeEntry(owner, spaceId, archiving))
      assert.deepStrictEqual(yield* changeEntry(owner, spaceId, { from: "live" }), null)
      assert.isNotNull(yield* changeEntry(owner, spaceId, { from: "archived" }))
      assert.lengthOf(yield* eventsOf(owner), 3)
    })
  )
}
