/**
 * The order, the filters, the versions and the history of every store of records. The tests run on memory, PGlite and
 * PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import type { JsonRecord } from "../../../src/features/gate/Write.ts"
import type { Track } from "../../../src/features/tracks/Track.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, anAgentOf, aWorkspaceOf, eventsIn, throughKey, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { aPassed } from "../../support/passed.ts"
import { type Stores, withReach } from "../../support/stores.ts"
import {
  addRecord,
  aTrack,
  AuditedTracks,
  changeRecord,
  countRecords,
  getRecord,
  listIds,
  listRecords,
  locateRecord,
  removeRecord,
  restoreRecord
} from "./recordCalls.ts"

export const recordsContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "if many callers change a record at the same moment, the event of each change has the values that this change replaced",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const { id } = yield* addRecord(reach, { spaceId, fields: { name: "0", settings: { n: 0 } } })
      const { change } = yield* Records
      const rename = (fields: Partial<Track>, data: JsonRecord) =>
        withReach(reach)(
          change(
            AuditedTracks,
            id,
            { fields, expectedVersion: null },
            { type: "track.update", subjectId: id, data },
            aPassed
          )
        )
      const renamed = (n: number) => ({ name: `${n}`, settings: { n } })
      yield* Effect.forEach(upTo(8), (n) => rename(renamed(n), { after: renamed(n) }), { concurrency: "unbounded" })
      const changes = (yield* eventsIn(spaceId, personId)).filter(({ type }) => type === "track.update")
      const values = [renamed(0), ...changes.map(({ data }) => data["after"])]
      assert.deepStrictEqual(
        changes.map(({ data }) => data["before"]),
        values.slice(0, -1)
      )
      yield* rename({ name: "last" }, {})
      yield* rename({ name: "again" }, {})
      yield* rename({ description: "changed" }, {})
      const last = (yield* eventsIn(spaceId, personId)).slice(-2).map(({ data }) => data)
      assert.deepStrictEqual(last, [{ before: { name: "last" } }, {}])
    })
  )

  rule(
    "if a caller changes or removes a record and expects another version than the stored version, the record store refuses the call and changes nothing",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const { id } = yield* addRecord(reach, { spaceId })
      const second = yield* changeRecord(reach, id, { name: "second" }, { from: 1 })
      assert.propertyVal(second, "version", 2)
      for (const from of [1, 3, 0]) {
        assert.strictEqual(yield* changeRecord(reach, id, { name: "stale" }, { from }), "RecordChanged")
        assert.strictEqual(yield* removeRecord(reach, id, { from }), "RecordChanged")
      }
      assert.deepStrictEqual(yield* getRecord(reach, id), second)
      assert.lengthOf(yield* eventsIn(spaceId, personId), 3)
      assert.propertyVal(yield* removeRecord(reach, id, { from: 2 }), "version", 3)
    })
  )

  rule(
    "concurrent changes of a record all succeed if the callers expect no version, but only one change succeeds if all callers expect the same version",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const rounds = 3 // The first round only opens the connections. The changes of later rounds compete for the row.
      for (const round of upTo(rounds)) {
        const { id } = yield* addRecord(reach, { spaceId })
        const tries = (writing: object) =>
          Effect.forEach(upTo(8), (n) => changeRecord(reach, id, { name: `${n}` }, writing), {
            concurrency: "unbounded"
          })
        const outcomes = yield* tries({ from: 1 })
        assert.lengthOf(
          outcomes.filter((outcome) => outcome !== "RecordChanged"),
          1,
          `round ${round}`
        )
        yield* tries({})
        assert.strictEqual((yield* getRecord(reach, id))?.version, 10)
      }
      assert.deepStrictEqual(
        (yield* eventsIn(spaceId, personId)).map(({ seq }) => seq),
        upTo(1 + rounds * 10)
      )
    })
  )

  rule(
    "a change of a record sets exactly the fields in the change, and can set a field to `null`",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const projectId = uuidv7()
      const made = yield* addRecord(reach, {
        spaceId,
        fields: { description: "kept", projectId, settings: { a: [1] } }
      })
      const steps: ReadonlyArray<Parameters<typeof changeRecord>[2]> = [
        { name: "renamed" },
        { description: null },
        { status: "paused", settings: { b: { c: null } } },
        { projectId: null, description: "" },
        {}
      ]
      let expected = made
      for (const [at, step] of steps.entries()) {
        const after = yield* changeRecord(reach, made.id, step)
        const updatedAt = (after as Track).updatedAt
        expected = { ...expected, ...step, version: at + 2, updatedAt }
        assert.deepStrictEqual(after, expected)
        assert.isAtLeast(DateTime.distance(made.updatedAt, updatedAt), 0)
      }
      assert.deepStrictEqual(yield* getRecord(reach, made.id), expected)
    })
  )

  rule(
    "every method of the record store that reads a record returns the record as it was added",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const id = uuidv7()
      const fields = aTrack({
        name: "Ünïcode 🗝️ & 'quotes' \"too\" \\ {braces}",
        description: "line\nbreak, NULL",
        projectId: uuidv7(),
        settings: { nested: { list: [null, 1.5, true, "x"] }, "": "", 'with "quotes"': 1e21 }
      })
      const { createdAt, updatedAt, ...record } = yield* addRecord(reach, { id, spaceId, fields })
      assert.deepStrictEqual(record, { id, userId: personId, workspaceId: spaceId, version: 1, ...fields })
      assert.deepStrictEqual(createdAt, updatedAt)
      const whole = { createdAt, updatedAt, ...record }
      assert.deepStrictEqual(yield* getRecord(reach, id), whole)
      assert.deepStrictEqual((yield* listRecords(reach)).found, [whole])
      assert.deepStrictEqual(yield* locateRecord(reach, id, "delete"), { record: whole, spaceId })
    })
  )

  rule(
    "no reader finds a removed record, and a restored record has its earlier fields, with a version number that is higher by two",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const made = yield* addRecord(reach, { spaceId, fields: { settings: { a: 1 } } })
      assert.strictEqual(yield* restoreRecord(reach, made.id), "RecordNotFound")
      const last = yield* removeRecord(reach, made.id)
      assert.deepStrictEqual(last, { ...made, version: 2, updatedAt: (last as Track).updatedAt })
      assert.isNull(yield* getRecord(reach, made.id))
      assert.isNull(yield* locateRecord(reach, made.id, "delete"))
      assert.deepStrictEqual(yield* listIds(reach, { where: { id: made.id } }), [])
      assert.strictEqual(yield* countRecords(reach), 0)
      assert.strictEqual(yield* changeRecord(reach, made.id, { name: "again" }), "RecordNotFound")
      assert.strictEqual(yield* removeRecord(reach, made.id), "RecordNotFound")
      const back = yield* restoreRecord(reach, made.id)
      assert.deepStrictEqual(back, { ...made, version: 3, updatedAt: (back as Track).updatedAt })
      assert.deepStrictEqual(yield* getRecord(reach, made.id), back)
      assert.strictEqual(yield* restoreRecord(reach, made.id), "RecordNotFound")
      assert.deepStrictEqual(
        (yield* eventsIn(spaceId, personId)).map(({ type }) => type),
        ["workspace.create", "track.create", "track.delete", "track.restore"]
      )
    })
  )

  rule(
    "for each write of a record, the log of its space gets one event with the actor, the user and the request of the write",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const agent = yield* anAgentOf(reach)
      const acting = yield* throughKey(reach, agent.id)
      const { id } = yield* addRecord(acting, { spaceId })
      yield* changeRecord(acting, id, { name: "changed" })
      yield* removeRecord(acting, id)
      yield* restoreRecord(acting, id)
      const expectedEvent = {
        userId: personId,
        actorId: agent.id,
        correlationId: acting.origin.requestId,
        subjectId: id
      }
      const events = (yield* eventsIn(spaceId, personId)).slice(1)
      assert.deepStrictEqual(
        events.map(({ type, data }) => [type, data]),
        ["create", "update", "delete", "restore"].map((verb) => [`track.${verb}`, { fields: [verb] }])
      )
      for (const event of events) assert.deepInclude(event, { ...expectedEvent, source: "api", workspaceId: spaceId })
      const own = yield* addRecord(reach, { spaceId: personId })
      const last = (yield* eventsIn(personId, personId)).at(-1)
      assert.deepInclude(last, { subjectId: own.id, actorId: personId, workspaceId: null })
    })
  )

  rule(
    "when sixteen callers write records in two spaces at the same moment, each event gets its own number, and no number is missing",
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const spaces = [spaceId, yield* aWorkspaceOf(personId)]
      const reach = aReach({ personId, spaces })
      const write = (at: number) => Effect.forEach(upTo(2), () => addRecord(reach, { spaceId: spaces[at % 2] }))
      const made = (yield* Effect.forEach(upTo(16), write, { concurrency: "unbounded" })).flat()
      for (const space of spaces) {
        const events = yield* eventsIn(space, personId)
        assert.deepStrictEqual(
          events.map(({ seq }) => seq),
          upTo(17)
        )
        assert.sameMembers(
          events.slice(1).map(({ subjectId }) => subjectId),
          made.filter(({ workspaceId }) => workspaceId === space).map(({ id }) => id)
        )
      }
    })
  )
}
