/**
 * The contract of every store of the graph, in memory, on PGlite and on PostgreSQL: the store follows a relation only
 * if the caller may read both entities of the relation.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { GraphStore } from "../../../src/features/graph/GraphStore.ts"
import { RelationStore } from "../../../src/features/relations/RelationStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, aWorkspaceOf } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"
import { addEntity, anEntity, changeEntity, removeEntity } from "../entities/entityCalls.ts"

const drawn = (reach: ReachShape, spaceId: string, from: string, to: string, type = "supports") => {
  const edge = { id: uuidv7(), spaceId, sourceEntityId: from, targetEntityId: to, type, metadata: {} }
  const event = { type: "relation.test", subjectId: edge.id, data: {} }
  return withReach(reach)(Effect.flatMap(RelationStore, ({ add }) => add(edge, event, aPassed)))
}

const from = (reach: ReachShape, spaceId: string, ids: ReadonlyArray<string>, more: object = {}) =>
  withReach(reach)(
    Effect.flatMap(GraphStore, ({ steps }) =>
      steps({ nodes: ids.map((id) => ({ id, spaceId })), types: null, limit: 10, ...more })
    )
  )

const ends = (reach: ReachShape, spaceId: string, id: string, more: object = {}) =>
  Effect.map(from(reach, spaceId, [id], more), (steps) => steps.map(({ entityId }) => entityId))

const naming = (reach: ReachShape, id: string, most = 10) =>
  Effect.map(withReach(reach)(Effect.flatMap(GraphStore, (store) => store.findReferencing(id, most))), (found) =>
    found.map(({ entityId, property }) => [entityId, property] as const)
  )

/** A note with the relation `supports` to a task, in the workspace of a new person. */
const aPair = Effect.gen(function* () {
  const { personId, reach, spaceId } = yield* aMember()
  const note = yield* addEntity(reach, anEntity({ spaceId, kind: "note", title: "Claim" }))
  const task = yield* addEntity(reach, anEntity({ spaceId, kind: "task", title: "Proof" }))
  yield* drawn(reach, spaceId, note.id, task.id)
  return { personId, reach, spaceId, note: note.id, task: task.id }
})

export const graphStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "the graph follows a relation only for a caller who may read relations and both entities of the relation",
    Effect.gen(function* () {
      const { note, personId, spaceId, task } = yield* aPair
      const other = yield* aWorkspaceOf(personId)
      const mine = { personId, spaces: [spaceId, other] }
      const blind: ReadonlyArray<readonly [string, ReachShape]> = [
        ["a stranger", aReach()],
        ["a key confined elsewhere", aReach({ ...mine, workspaceId: other })],
        ["a grant elsewhere", aReach({ ...mine, grant: { workspaceIds: [other] } })],
        ["entities alone", aReach({ ...mine, grant: { permissions: ["entity"] } })],
        ["relations alone", aReach({ ...mine, grant: { permissions: ["relation"] } })],
        ["the kind of one end", aReach({ ...mine, grant: { permissions: ["relation", "entity.note"] } })],
        ["one object", aReach({ ...mine, grant: { entityIds: [note] } })],
        ["a project", aReach({ ...mine, grant: { projectIds: [uuidv7()] } })]
      ]
      for (const [who, reach] of blind) assert.deepStrictEqual(yield* ends(reach, spaceId, note), [], who)
      const both = aReach({ ...mine, grant: { permissions: ["relation", "entity.note", "entity.task"] } })
      assert.deepStrictEqual(yield* ends(both, spaceId, note), [task])
    })
  )

  rule(
    "the graph shows the entities whose properties refer to an object, but only to a caller who may read these entities",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const other = yield* aWorkspaceOf(personId)
      const task = yield* addEntity(reach, anEntity({ spaceId, kind: "task" }))
      const note = yield* addEntity(reach, anEntity({ spaceId, properties: { about: task.id } }))
      const mine = { personId, spaces: [spaceId, other] }
      const blind: ReadonlyArray<readonly [string, ReachShape]> = [
        ["a stranger", aReach()],
        ["a key confined elsewhere", aReach({ ...mine, workspaceId: other })],
        ["relations alone", aReach({ ...mine, grant: { permissions: ["relation"] } })],
        ["the kind of the named one", aReach({ ...mine, grant: { permissions: ["entity.task"] } })],
        ["another object", aReach({ ...mine, grant: { entityIds: [task.id] } })],
        ["a project", aReach({ ...mine, grant: { projectIds: [uuidv7()] } })]
      ]
      for (const [who, each] of blind) assert.deepStrictEqual(yield* naming(each, task.id), [], who)
      assert.deepStrictEqual(yield* naming(reach, task.id), [[note.id, "about"]])
    })
  )

  rule(
    "the graph store's list of the entities whose properties refer to an object is current after every write, begins with the newest entity, and has a maximum length",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const [task, further] = [
        yield* addEntity(reach, anEntity({ spaceId })),
        yield* addEntity(reach, anEntity({ spaceId }))
      ]
      const properties = {
        about: task.id.toUpperCase(),
        links: [further.id, task.id, task.id, 7],
        title: `${task.id} too`
      }
      const one = yield* addEntity(reach, anEntity({ spaceId, properties }))
      const two = yield* addEntity(reach, anEntity({ spaceId, properties: { about: task.id } }))
      const all: Array<readonly [string, string]> = [
        [two.id, "about"],
        [one.id, "about"],
        [one.id, "links"]
      ]
      assert.deepStrictEqual(yield* naming(reach, task.id), all)
      assert.deepStrictEqual(yield* naming(reach, task.id, 2), all.slice(0, 2))
      assert.deepStrictEqual(yield* naming(reach, further.id), [[one.id, "links"]])
      yield* changeEntity(reach, one.id, { title: "Only another title" })
      yield* changeEntity(reach, two.id, { properties: { about: further.id } })
      assert.deepStrictEqual(yield* naming(reach, task.id), all.slice(1))
      yield* changeEntity(reach, one.id, { deleteProperties: ["links"] })
      assert.deepStrictEqual(yield* naming(reach, task.id), [all[1]])
      assert.strictEqual(yield* removeEntity(reach, one.id), one.id)
      assert.deepStrictEqual(yield* naming(reach, task.id), [])
    })
  )

  rule(
    "the graph does not follow a relation to an archived entity",
    Effect.gen(function* () {
      const { note, reach, spaceId, task } = yield* aPair
      assert.strictEqual(yield* removeEntity(reach, task), task)
      assert.deepStrictEqual(yield* ends(reach, spaceId, note), [])
    })
  )

  rule(
    "the graph follows a relation in a personal space only for the person whose space it is",
    Effect.gen(function* () {
      const { personId, reach } = yield* aMember()
      const one = yield* addEntity(reach, anEntity({ spaceId: personId }))
      const two = yield* addEntity(reach, anEntity({ spaceId: personId }))
      yield* drawn(reach, personId, one.id, two.id)
      assert.deepStrictEqual(yield* ends(reach, personId, one.id), [two.id])
      assert.deepStrictEqual(yield* ends(aReach({ spaces: [personId] }), personId, one.id), [])
    })
  )

  rule(
    "the graph follows relations in both directions, newest first, and a request can limit their type and number",
    Effect.gen(function* () {
      const { note, reach, spaceId, task } = yield* aPair
      yield* drawn(reach, spaceId, task, note, "answers")
      const steps = yield* from(reach, spaceId, [note, task])
      assert.deepStrictEqual(
        steps.map(({ direction, entityId, fromId, relationType }) => [fromId, relationType, direction, entityId]),
        [
          [note, "answers", "incoming", task],
          [note, "supports", "outgoing", task],
          [task, "answers", "outgoing", note],
          [task, "supports", "incoming", note]
        ]
      )
      assert.deepInclude(steps[0], { title: "Proof", profileSlug: "task", spaceId })
      assert.deepStrictEqual(yield* ends(reach, spaceId, note, { types: ["answers"] }), [task])
      assert.deepStrictEqual(yield* ends(reach, spaceId, note, { types: ["nothing"] }), [])
      assert.deepStrictEqual(yield* ends(reach, spaceId, note, { types: [] }), [])
      const third = yield* addEntity(reach, anEntity({ spaceId }))
      yield* drawn(reach, spaceId, note, third.id)
      assert.deepStrictEqual(yield* ends(reach, spaceId, note, { types: ["supports"], limit: 1 }), [third.id])
      assert.deepStrictEqual(yield* from(reach, spaceId, []), [])
    })
  )

  rule(
    "relations that the caller may not read do not count towards the maximum number of relations that the graph follows",
    Effect.gen(function* () {
      const { note, personId, reach, spaceId, task } = yield* aPair
      for (let at = 0; at < 3; at += 1) {
        const hidden = yield* addEntity(reach, anEntity({ spaceId, kind: "company" }))
        yield* drawn(reach, spaceId, note, hidden.id)
      }
      const permissions = ["relation", "entity.note", "entity.task"]
      const narrow = aReach({ personId, spaces: [spaceId], grant: { permissions } })
      assert.deepStrictEqual(yield* ends(narrow, spaceId, note, { limit: 1 }), [task])
    })
  )
}
