/** What every store that keeps the history of records must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, type Layer } from "effect"
import type { PagePlace } from "../../../src/doors/PageOrder.ts"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { Document } from "../../../src/features/documents/Document.ts"
import { RecordHistory } from "../../../src/features/records/RecordHistory.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { addAnyRecord, anyEvent } from "../../support/anyRecord.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, aWorkspaceOf } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"

const page = (reach: ReachShape, id: string, asked: PagePlace = { limit: 10 }) =>
  Effect.flatMap(RecordHistory, ({ list }) => withReach(reach)(list(Document, id, asked)))
const versions = (reach: ReachShape, id: string, asked?: PagePlace) =>
  Effect.map(page(reach, id, asked), ({ items }) => items.map(({ version }) => version))
const one = (reach: ReachShape, id: string, version: number) =>
  Effect.flatMap(RecordHistory, ({ get }) => Effect.exit(withReach(reach)(get(Document, id, version))))

/** A document with three versions, in the workspace of a new person. */
const aDocument = Effect.gen(function* () {
  const { personId, reach, spaceId } = yield* aMember()
  const fields = { title: "One", content: "first", type: "markdown", entityId: null, projectId: null } as const
  const { id } = yield* addAnyRecord(reach, Document, spaceId, fields)
  const { change } = yield* Records
  const changed = (fields: { readonly title?: string; readonly content?: string }) =>
    withReach(reach)(change(Document, id, { fields }, anyEvent(id, "update"), aPassed))
  yield* changed({ title: "Two" })
  yield* changed({ content: "third" })
  return { id, personId, reach, spaceId }
})

export const recordHistoryContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "for a record that is archived or that the caller may not read, the record store returns the same history as for a missing record",
    Effect.gen(function* () {
      const { id, personId, reach, spaceId } = yield* aDocument
      const other = yield* aWorkspaceOf(personId)
      const spaces = [spaceId, other]
      const hidden = (each: ReachShape) =>
        Effect.gen(function* () {
          assert.deepStrictEqual((yield* page(each, id)).items, [])
          const [there, missing] = [yield* one(each, id, 1), yield* one(each, uuidv7(), 1)]
          assert.isTrue(Exit.isFailure(there) && Exit.isFailure(missing))
        })
      yield* hidden(aReach())
      yield* hidden(aReach({ personId, spaces, grant: { permissions: ["entity"] } }))
      yield* hidden(aReach({ personId, spaces, grant: { workspaceIds: [other] } }))
      yield* hidden(aReach({ personId, spaces, grant: { entityIds: [uuidv7()] } }))
      const { remove } = yield* Records
      yield* withReach(reach)(remove(Document, id, null, anyEvent(id, "delete"), aPassed))
      yield* hidden(reach)
    })
  )

  rule(
    "each write of a record stores one version with all fields and the author, and a request for a missing version number finds nothing",
    Effect.gen(function* () {
      const { id, personId, reach } = yield* aDocument
      assert.deepStrictEqual(yield* versions(reach, id), [3, 2, 1])
      const { items } = yield* page(reach, id)
      assert.deepStrictEqual(
        items.map(({ actorId, fields: { content, title }, recordId }) => [recordId, actorId, title, content]),
        [
          [id, personId, "Two", "third"],
          [id, personId, "Two", "first"],
          [id, personId, "One", "first"]
        ]
      )
      const second = yield* one(reach, id, 2)
      assert.isTrue(Exit.isSuccess(second) && second.value.fields.title === "Two" && second.value.version === 2)
      for (const version of [0, 4, -1]) assert.isTrue(Exit.isFailure(yield* one(reach, id, version)))
    })
  )

  rule(
    "the pages of a record's versions show each version once, latest first",
    Effect.gen(function* () {
      const { id, reach } = yield* aDocument
      const first = yield* page(reach, id, { limit: 2 })
      assert.deepStrictEqual(yield* versions(reach, id, { limit: 2 }), [3, 2])
      const rest = yield* page(reach, id, { limit: 2, cursor: first.next ?? undefined })
      assert.deepStrictEqual([rest.items.map(({ version }) => version), rest.next], [[1], null])
      assert.deepStrictEqual(yield* versions(reach, id, { limit: 2, offset: 1 }), [2, 1])
      assert.deepStrictEqual(yield* versions(reach, id, { limit: 2, offset: 3 }), [])
    })
  )
}
