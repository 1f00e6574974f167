/**
 * The order, the versions and the history of entities in every store. The tests run on memory, PGlite and PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer, TestClock } from "effect"
import type { Entity } from "../../../src/features/entities/Entity.ts"
import { EntityStore } from "../../../src/features/entities/EntityStore.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, anAgent, aWorkspaceOf, eventsIn, throughKey, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import {
  addEntity,
  anEntity,
  changeEntity,
  eventOf,
  getEntity,
  listIds,
  listEntities,
  removeEntity,
  restoreEntity,
  searchIds
} from "./entityCalls.ts"
import { aPassed } from "../../support/passed.ts"

/** Returns true if the entities are sorted by last update and then by id, both descending. */
const isNewestFirst = (entities: ReadonlyArray<Entity>) =>
  entities.every((entity, at) => {
    const before = entities[at - 1]
    if (before === undefined) return true
    const apart = DateTime.distance(entity.updatedAt, before.updatedAt)
    return apart > 0 || (apart === 0 && before.id > entity.id)
  })

export const entityHistoryContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "if a caller changes an entity and expects an earlier version, the pod answers with a conflict and does not change the entity",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const { id } = yield* addEntity(reach, anEntity({ spaceId }))
      yield* changeEntity(reach, id, { title: "second", version: 1 })
      const before = yield* getEntity(reach, id)
      for (const version of [1, 3, 0]) {
        assert.strictEqual(yield* changeEntity(reach, id, { title: "stale", version }), "EntityChanged")
      }
      assert.deepStrictEqual(yield* getEntity(reach, id), before)
      assert.strictEqual(before?.version, 2)
      assert.lengthOf(yield* eventsIn(spaceId, personId), 3)
    })
  )

  rule(
    "concurrent changes of an entity all succeed if the callers expect no version, but only one change succeeds if all callers expect the same version",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const rounds = 4 // The first round only opens the connections. The changes of later rounds compete for the row.
      for (const round of upTo(rounds)) {
        const { id } = yield* addEntity(reach, anEntity({ spaceId }))
        const tries = (version: object) =>
          Effect.forEach(upTo(8), (n) => changeEntity(reach, id, { properties: { [`p${n}`]: n }, ...version }), {
            concurrency: "unbounded"
          })
        const outcomes = yield* tries({ version: 1 })
        const made = outcomes.filter((outcome) => outcome !== "EntityChanged")
        assert.lengthOf(made, 1, `round ${round}`)
        assert.strictEqual((yield* getEntity(reach, id))?.version, 2)
        yield* tries({})
        const after = yield* getEntity(reach, id)
        assert.strictEqual(after?.version, 10)
        assert.lengthOf(Object.keys(after?.properties ?? {}), 8)
      }
      const events = yield* eventsIn(spaceId, personId)
      assert.deepStrictEqual(
        events.map(({ seq }) => seq),
        upTo(1 + rounds * 10)
      )
    })
  )

  rule(
    "a change of an entity merges the properties by name, and keeps the fields that are not in the change",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const strange = ['with "quotes"', "a,b", "{braces}", "back\\slash", "line\nbreak", "ключ", "NULL", ""]
      const properties = Object.fromEntries(strange.map((name) => [name, name]))
      const made = anEntity({
        spaceId,
        title: "kept",
        description: "kept",
        properties: { ...properties, keep: { a: 1 } }
      })
      const entity = yield* addEntity(reach, made)
      assert.deepStrictEqual(entity.properties, made.properties)
      const merged = yield* changeEntity(reach, entity.id, { properties: { keep: null, more: [1, "two"] } })
      assert.deepStrictEqual(merged, {
        ...entity,
        properties: { ...properties, keep: null, more: [1, "two"] },
        version: 2,
        updatedAt: (merged as Entity).updatedAt
      })
      const cleared = yield* changeEntity(reach, entity.id, {
        deleteProperties: [...strange, "never there"],
        description: null
      })
      assert.deepStrictEqual((cleared as Entity).properties, { keep: null, more: [1, "two"] })
      assert.isNull((cleared as Entity).description)
      assert.strictEqual((cleared as Entity).title, "kept")
      assert.deepStrictEqual(yield* getEntity(reach, entity.id), cleared)
    })
  )

  rule(
    "after an entity was removed, no reader finds it, nobody can change or remove it again, and its events stay in the log",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const { id } = yield* addEntity(reach, anEntity({ spaceId, title: "harbour" }))
      assert.strictEqual(yield* removeEntity(reach, id), id)
      assert.isNull(yield* getEntity(reach, id))
      assert.deepStrictEqual(yield* listIds(reach), [])
      assert.deepStrictEqual(yield* searchIds(reach, "harbour"), [])
      assert.strictEqual(yield* changeEntity(reach, id, { title: "again" }), "EntityNotFound")
      assert.strictEqual(yield* removeEntity(reach, id), "EntityNotFound")
      const events = yield* eventsIn(spaceId, personId)
      assert.deepStrictEqual(
        events.map(({ type, seq }) => [type, seq]),
        [
          ["workspace.create", 1],
          ["entity.note.create", 2],
          ["entity.note.delete", 3]
        ]
      )
    })
  )

  rule(
    "if a caller removes an entity and expects an earlier version, the pod answers with a conflict and does not remove the entity",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const { id } = yield* addEntity(reach, anEntity({ spaceId }))
      const second = yield* changeEntity(reach, id, { title: "second" })
      for (const version of [1, 3, 0]) {
        assert.strictEqual(yield* removeEntity(reach, id, version), "EntityChanged", `${version}`)
      }
      assert.deepStrictEqual(yield* getEntity(reach, id), second)
      assert.lengthOf(yield* eventsIn(spaceId, personId), 3)
      assert.strictEqual(yield* removeEntity(reach, id, 2), id)
      assert.isNull(yield* getEntity(reach, id))
    })
  )

  rule(
    "the removal of an entity returns the last state of the entity, with a version number that is higher by one",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const entity = yield* addEntity(reach, anEntity({ spaceId, title: "harbour" }))
      yield* TestClock.adjust("1 second")
      const { remove } = yield* EntityStore
      const event = eventOf(entity.id, "delete")
      const removed = yield* withReach(reach)(remove(entity.id, 1, event, aPassed))
      assert.deepStrictEqual(removed, { ...entity, version: 2, updatedAt: removed.updatedAt })
      assert.isTrue(DateTime.greaterThan(removed.updatedAt, entity.updatedAt))
    })
  )

  rule(
    "a restored entity has the same fields as before its removal, with a version number that is higher by two, and only a removed entity can be restored",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const entity = yield* addEntity(reach, anEntity({ spaceId, title: "harbour", properties: { a: [1] } }))
      assert.strictEqual(yield* restoreEntity(reach, entity.id), "EntityNotFound")
      yield* removeEntity(reach, entity.id)
      const editor = aReach({ personId, spaces: [spaceId], role: "editor" })
      for (const outside of [aReach(), aReach({ personId, spaces: [spaceId], kinds: ["task"] })]) {
        assert.strictEqual(yield* restoreEntity(outside, entity.id), "EntityNotFound")
      }
      const back = yield* restoreEntity(editor, entity.id)
      assert.deepStrictEqual(back, { ...entity, version: 3, updatedAt: (back as Entity).updatedAt })
      assert.deepStrictEqual(yield* getEntity(reach, entity.id), back)
      assert.deepStrictEqual(yield* searchIds(reach, "harbour"), [entity.id])
      assert.strictEqual(yield* restoreEntity(reach, entity.id), "EntityNotFound")
      assert.deepStrictEqual(
        (yield* eventsIn(spaceId, personId)).map(({ type }) => type),
        ["workspace.create", "entity.note.create", "entity.note.delete", "entity.note.restore"]
      )
    })
  )

  rule(
    "for each change of an entity, the log of its space gets one event with the actor, the user and the request of the change",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const people = yield* PeopleStore
      const agent = yield* withReach(reach)(people.addAgent(uuidv7(), anAgent(), aPassed))
      const acting = yield* throughKey(reach, agent.id)
      const { id } = yield* addEntity(acting, anEntity({ spaceId }))
      yield* changeEntity(acting, id, { title: "changed" })
      yield* removeEntity(acting, id)
      const expectedEvent = {
        userId: personId,
        actorId: agent.id,
        correlationId: acting.origin.requestId,
        subjectId: id
      }
      const events = (yield* eventsIn(spaceId, personId)).slice(1)
      assert.deepStrictEqual(
        events.map(({ type, data }) => [type, data]),
        ["create", "update", "delete"].map((verb) => [`entity.note.${verb}`, { fields: [verb] }])
      )
      for (const event of events) assert.deepInclude(event, { ...expectedEvent, source: "api", workspaceId: spaceId })
      const inOwnSpace = yield* addEntity(reach, anEntity({ spaceId: personId }))
      const own = (yield* eventsIn(personId, personId)).at(-1)
      assert.deepInclude(own, { subjectId: inOwnSpace.id, actorId: personId, workspaceId: null })
    })
  )

  rule(
    "when sixteen callers write entities in two spaces at the same moment, each event gets its own number, and no number is missing",
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const spaces = [spaceId, yield* aWorkspaceOf(personId)]
      const reach = aReach({ personId, spaces })
      const write = (at: number) =>
        Effect.forEach(upTo(2), () => addEntity(reach, anEntity({ spaceId: spaces[at % 2] })))
      const made = (yield* Effect.forEach(upTo(16), write, { concurrency: "unbounded" })).flat()
      assert.lengthOf(made, 32)
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

  rule(
    "for every caller, the pages of an entity listing show each readable entity once, newest first",
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const spaces = [spaceId, yield* aWorkspaceOf(personId)]
      const reach = aReach({ personId, spaces })
      const projectId = uuidv7()
      for (const at of upTo(18)) {
        const filed = at % 2 === 0 ? { projectId } : {}
        const kind = ["note", "task", "company"][at % 3]
        yield* addEntity(reach, anEntity({ spaceId: [...spaces, personId][Math.floor(at / 2) % 3], kind, ...filed }))
        if (at % 5 === 0) yield* TestClock.adjust("1 second")
      }
      for (const [count, narrow, filter] of [
        [18, reach, {}],
        [12, aReach({ personId, spaces, kinds: ["note", "task"] }), {}],
        [6, reach, { kind: "note" }],
        [9, reach, { projectId }],
        [9, aReach({ personId, spaces, grant: { projectIds: [projectId] } }), {}],
        [3, aReach({ personId, spaces, kinds: ["task"] }), { projectId }]
      ] as const) {
        const { items: whole } = yield* listEntities(narrow, filter)
        assert.lengthOf(whole, count)
        assert.isTrue(isNewestFirst(whole))
        const ids = whole.map(({ id }) => id)
        assert.lengthOf(new Set(ids), count)
        const pages = yield* Effect.forEach([0, 5, 10, 15, 20], (offset) =>
          listIds(narrow, { ...filter, limit: 5, offset })
        )
        assert.deepStrictEqual(pages.flat(), ids)
      }
    })
  )

  rule(
    "a changed entity moves to the beginning of the entity listing",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const first = yield* addEntity(reach, anEntity({ spaceId }))
      yield* TestClock.adjust("1 second")
      const second = yield* addEntity(reach, anEntity({ spaceId }))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* listIds(reach), [second.id, first.id])
      yield* changeEntity(reach, first.id, { title: "later" })
      assert.deepStrictEqual(yield* listIds(reach), [first.id, second.id])
    })
  )

  rule(
    "a reader of an entity gets all the fields with which the entity was added",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const made = anEntity({
        spaceId,
        kind: "company",
        title: "Ünïcode 🗝️ & 'quotes' \"too\"",
        preview: "p",
        description: "",
        properties: { nested: { list: [null, 1.5, true, "x"] }, "": "" }
      })
      const { createdAt, updatedAt, ...entity } = yield* addEntity(reach, made)
      const { projectId: _, kind, spaceId: workspaceId, ...fields } = made
      const settled = { profileSlug: kind, type: kind, systemData: {}, documentId: null, version: 1, userId: personId }
      assert.deepStrictEqual(entity, { ...fields, ...settled, workspaceId })
      assert.deepStrictEqual(createdAt, updatedAt)
      assert.deepStrictEqual(yield* getEntity(reach, made.id), { createdAt, updatedAt, ...entity })
    })
  )
}
