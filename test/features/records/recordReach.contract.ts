/** What a call may read and change in every store of records. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, anAgentOf, aPerson, aWorkspaceOf, eventsIn, throughKey } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { type Stores } from "../../support/stores.ts"
import {
  addRecord,
  type AnyTrack,
  changeRecord,
  countRecords,
  getRecord,
  listIds,
  OwnTracks,
  listRecords,
  locateRecord,
  removeRecord,
  restoreRecord,
  SecretTracks,
  tallyRecords,
  Tracks
} from "./recordCalls.ts"

const gone = "RecordNotFound"

/** Asserts that the counts by space agree with the records in a listing. */
const isTallied = (reach: ReachShape, type: AnyTrack = Tracks) =>
  Effect.gen(function* () {
    const expected = new Map<string, number>()
    for (const { userId, workspaceId } of (yield* listRecords(reach, { type })).found) {
      const spaceId = workspaceId ?? userId
      expected.set(spaceId, (expected.get(spaceId) ?? 0) + 1)
    }
    assert.deepStrictEqual(yield* tallyRecords(reach, type), expected)
  })

/**
 * Asserts that the caller with these access rights cannot find, change or remove the record. The answers must be the
 * same as for a missing record.
 */
const isHidden = (reach: ReachShape, id: string, caller: string, type: AnyTrack = Tracks) =>
  Effect.gen(function* () {
    assert.isNull(yield* getRecord(reach, id, type), `${caller}: a read finds the record`)
    assert.notInclude(yield* listIds(reach, { type }), id, `${caller}: a listing shows the record`)
    assert.deepStrictEqual(
      yield* listIds(reach, { type, where: { id } }),
      [],
      `${caller}: a filter by id finds the record`
    )
    assert.strictEqual(yield* countRecords(reach, { type, where: { id } }), 0, `${caller}: a count includes the record`)
    yield* isTallied(reach, type)
    for (const action of ["update", "delete"] as const) {
      assert.isNull(yield* locateRecord(reach, id, action, type), `${caller}: the record has a place`)
    }
    assert.strictEqual(
      yield* changeRecord(reach, id, { name: "theirs" }, { type }),
      gone,
      `${caller}: the record was changed`
    )
    assert.strictEqual(yield* removeRecord(reach, id, { type }), gone, `${caller}: the record was removed`)
    assert.strictEqual(yield* restoreRecord(reach, id, { type }), gone, `${caller}: the record was restored`)
  })

export const recordReachContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "every method of the record store treats a record that the caller cannot access as missing, whether it is archived or not",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const living = yield* addRecord(reach, { spaceId })
      const archived = yield* addRecord(reach, { spaceId })
      yield* removeRecord(reach, archived.id)
      const otherSpace = yield* aWorkspaceOf(personId)
      const confined = { personId, spaces: [spaceId, otherSpace] }
      const own = { personId, spaces: [spaceId] }
      for (const { id } of [living, archived]) {
        yield* isHidden(aReach(), id, "a stranger")
        yield* isHidden(aReach({ personId, spaces: [otherSpace] }), id, "another workspace")
        yield* isHidden(aReach({ personId, spaces: [] }), id, "the person's own space")
        yield* isHidden(aReach({ ...confined, workspaceId: otherSpace }), id, "a key confined elsewhere")
        yield* isHidden(aReach({ ...confined, grant: { workspaceIds: [otherSpace] } }), id, "a grant elsewhere")
        yield* isHidden(aReach({ ...own, grant: { permissions: ["entity", "view"] } }), id, "a grant for others")
        yield* isHidden(aReach({ ...own, grant: { permissions: [] } }), id, "an empty grant")
        yield* isHidden(aReach({ ...own, grant: { entityIds: [uuidv7()] } }), id, "a grant for another object")
        yield* isHidden(aReach({ ...own, grant: { entityIds: [] } }), id, "a grant for no object")
        yield* isHidden(aReach({ ...own, grant: { projectIds: [uuidv7()] } }), id, "a grant for a project")
      }
      assert.deepStrictEqual(yield* getRecord(reach, living.id), living)
      assert.isNull(yield* getRecord(reach, archived.id))
      assert.lengthOf(yield* eventsIn(spaceId, personId), 4)
    })
  )

  rule(
    "if a caller adds a record to a space that the caller cannot access, the call fails with an internal error, and stores neither a record nor an event",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const own = { personId, spaces: [spaceId] }
      for (const outside of [
        aReach(),
        aReach({ ...own, role: "viewer" }),
        aReach({ ...own, workspaceId: uuidv7() }),
        aReach({ ...own, grant: { workspaceIds: [uuidv7()] } }),
        aReach({ ...own, grant: { permissions: ["track.read", "track.update"] } }),
        aReach({ ...own, grant: { permissions: ["entity"] } })
      ]) {
        const exit = yield* Effect.exit(addRecord(outside, { spaceId }))
        assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      }
      assert.deepStrictEqual(yield* listIds(reach), [])
      assert.lengthOf(yield* eventsIn(spaceId, personId), 1)
    })
  )

  rule(
    "a key with a grant for given objects can do every action on exactly the records that the grant lists",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const named = yield* addRecord(reach, { spaceId })
      const other = yield* addRecord(reach, { spaceId })
      const limited = aReach({ personId, spaces: [spaceId], grant: { entityIds: [named.id, uuidv7()] } })
      yield* isHidden(limited, other.id, "not on the list")
      assert.deepStrictEqual(yield* listIds(limited), [named.id])
      assert.strictEqual(yield* countRecords(limited), 1)
      assert.deepStrictEqual(yield* getRecord(limited, named.id), named)
      assert.propertyVal(yield* changeRecord(limited, named.id, { name: "mine" }), "name", "mine")
      assert.propertyVal(yield* removeRecord(limited, named.id), "version", 3)
      assert.propertyVal(yield* restoreRecord(limited, named.id), "version", 4)
    })
  )

  rule(
    "on records, a key can do exactly the actions that its grant allows",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const { id } = yield* addRecord(reach, { spaceId })
      const may = (...permissions: ReadonlyArray<string>) =>
        aReach({ personId, spaces: [spaceId], grant: { permissions } })
      const reader = may("track.read")
      assert.isNotNull(yield* getRecord(reader, id))
      assert.isNotNull(yield* locateRecord(reader, id, "update"))
      assert.strictEqual(yield* changeRecord(reader, id, { name: "no" }), gone)
      assert.strictEqual(yield* removeRecord(reader, id), gone)
      const writer = may("track.update")
      assert.isNull(yield* getRecord(writer, id))
      assert.deepStrictEqual(yield* listIds(writer), [])
      assert.strictEqual(yield* countRecords(writer), 0)
      assert.strictEqual((yield* locateRecord(writer, id, "update"))?.spaceId, spaceId)
      assert.isNull(yield* locateRecord(writer, id, "delete"))
      assert.strictEqual(yield* removeRecord(writer, id), gone)
      assert.propertyVal(yield* changeRecord(writer, id, { name: "written" }), "name", "written")
      assert.propertyVal(yield* removeRecord(may("track.delete"), id), "version", 3)
      assert.strictEqual(yield* restoreRecord(reader, id), gone)
      assert.propertyVal(yield* restoreRecord(writer, id), "version", 4)
    })
  )

  rule(
    "an editor of a workspace can change and restore its records but not remove them, and a viewer can only read them",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const { id } = yield* addRecord(reach, { spaceId })
      const editor = aReach({ personId, spaces: [spaceId], role: "editor" })
      const viewer = aReach({ personId, spaces: [spaceId], role: "viewer" })
      assert.strictEqual(yield* removeRecord(editor, id), gone)
      assert.propertyVal(yield* changeRecord(editor, id, { name: "edited" }), "name", "edited")
      assert.strictEqual(yield* changeRecord(viewer, id, { name: "no" }), gone)
      assert.isNotNull(yield* getRecord(viewer, id))
      yield* removeRecord(reach, id)
      assert.strictEqual(yield* restoreRecord(viewer, id), gone)
      assert.propertyVal(yield* restoreRecord(editor, id), "name", "edited")
    })
  )

  rule(
    "a private record is hidden from other people in the workspace, but not from the agents of its owner",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const type = OwnTracks
      const mine = yield* addRecord(reach, { spaceId }, type)
      const archived = yield* addRecord(reach, { spaceId }, type)
      yield* removeRecord(reach, archived.id, { type })
      const other = aReach({ personId: yield* aPerson, spaces: [spaceId] })
      for (const { id } of [mine, archived]) yield* isHidden(other, id, "another owner of the workspace", type)
      const theirs = yield* addRecord(other, { spaceId }, type)
      assert.deepStrictEqual(yield* listIds(other, { type }), [theirs.id])
      assert.deepStrictEqual(yield* listIds(reach, { type }), [mine.id])
      assert.strictEqual(yield* countRecords(reach, { type, spaces: [spaceId] }), 1)
      const agent = yield* anAgentOf(reach)
      const acting = yield* throughKey(reach, agent.id)
      assert.deepStrictEqual(yield* listIds(acting, { type }), [mine.id])
      const byAgent = yield* addRecord(acting, { spaceId }, type)
      assert.strictEqual(byAgent.userId, personId)
      assert.deepStrictEqual(yield* getRecord(reach, byAgent.id, type), byAgent)
      // The type without private records shows all three records to every member.
      assert.lengthOf(yield* listIds(reach), 3)
    })
  )

  rule(
    "if a field decides whether a record is private, the record is private only while the field has the private value",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const type = SecretTracks
      const other = aReach({ personId: yield* aPerson, spaces: [spaceId] })
      const secret = yield* addRecord(reach, { spaceId, fields: { description: "secret" } }, type)
      const withText = yield* addRecord(reach, { spaceId, fields: { description: "told" } }, type)
      const withoutText = yield* addRecord(reach, { spaceId, fields: { description: null } }, type)
      yield* isHidden(other, secret.id, "another owner of the workspace", type)
      assert.sameMembers(yield* listIds(other, { type }), [withText.id, withoutText.id])
      assert.strictEqual(yield* countRecords(other, { type }), 2)
      assert.deepStrictEqual(yield* getRecord(other, withoutText.id, type), withoutText)
      assert.sameMembers(yield* listIds(reach, { type }), [secret.id, withText.id, withoutText.id])
      yield* changeRecord(other, withText.id, { description: "secret" }, { type })
      yield* isHidden(other, withText.id, "who told it away", type)
    })
  )

  rule(
    "if a request states spaces, the answer lists and counts only the records that the caller may read in these spaces",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const foreign = yield* aMember()
      const mine = yield* addRecord(reach, { spaceId })
      const own = yield* addRecord(reach, { spaceId: personId })
      yield* addRecord(foreign.reach, { spaceId: foreign.spaceId })
      for (const [spaces, expected] of [
        [[foreign.spaceId], []],
        [[], []],
        [[spaceId, foreign.spaceId], [mine.id]],
        [[personId], [own.id]],
        [null, [own.id, mine.id]],
        [undefined, [own.id, mine.id]]
      ] as const) {
        assert.sameMembers(yield* listIds(reach, { spaces }), [...expected])
        assert.strictEqual(yield* countRecords(reach, { spaces }), expected.length)
      }
      assert.deepStrictEqual([mine.workspaceId, own.workspaceId], [spaceId, null])
      yield* addRecord(reach, { spaceId })
      assert.deepStrictEqual(
        yield* tallyRecords(reach),
        new Map([
          [spaceId, 2],
          [personId, 1]
        ])
      )
    })
  )
}
