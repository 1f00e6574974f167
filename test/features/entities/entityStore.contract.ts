/** What a call may read and change in an entity store. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { ProfileType } from "../../../src/features/profiles/Profile.ts"
import { Profiles } from "../../../src/features/profiles/Profiles.ts"
import { PropertyDef } from "../../../src/features/profiles/PropertyDef.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { addAnyRecord, anyEvent } from "../../support/anyRecord.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, aPerson, aWorkspaceOf, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import {
  addEntity,
  anEntity,
  changeEntity,
  getEntity,
  listIds,
  listEntities,
  locateEntity,
  readableIds,
  readableTitles,
  removeEntity,
  searchIds,
  tallyEntities
} from "./entityCalls.ts"

const seededNoteId = "00000000-0000-7000-8000-000000000001"

/** Asserts that the counts by space and kind agree with the entities in a listing. */
const isTallied = (reach: ReachShape) =>
  Effect.gen(function* () {
    const expected = new Map<string, number>()
    for (const { profileSlug, userId, workspaceId } of (yield* listEntities(reach)).items) {
      const place = `${workspaceId ?? userId} ${profileSlug}`
      expected.set(place, (expected.get(place) ?? 0) + 1)
    }
    assert.deepStrictEqual(yield* tallyEntities(reach), expected)
  })

/**
 * Asserts that the caller with these access rights cannot find, change or remove the entity. The answers must be the
 * same as for a missing entity.
 */
const isHidden = (reach: ReachShape, id: string, caller: string) =>
  Effect.gen(function* () {
    assert.isNull(yield* getEntity(reach, id), `${caller}: a read finds the entity`)
    assert.deepStrictEqual(yield* readableIds(reach, [id]), [], `${caller}: a read by ids finds the entity`)
    assert.notInclude(yield* listIds(reach), id, `${caller}: a listing shows the entity`)
    assert.notInclude(yield* searchIds(reach, "harbour"), id, `${caller}: a search finds the entity`)
    yield* isTallied(reach)
    for (const action of ["update", "delete"] as const) {
      assert.isNull(yield* locateEntity(reach, id, action), `${caller}: the entity has a place`)
    }
    assert.strictEqual(
      yield* changeEntity(reach, id, { title: "theirs" }),
      "EntityNotFound",
      `${caller}: the entity was changed`
    )
    assert.strictEqual(yield* removeEntity(reach, id), "EntityNotFound", `${caller}: the entity was removed`)
  })

const retitled = (reach: ReachShape, id: string, title: string) =>
  Effect.map(changeEntity(reach, id, { title }), (after) => (typeof after === "string" ? after : after.title))

export const entityReachContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "every method of the entity store treats an entity that the caller cannot access as missing",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const entity = yield* addEntity(reach, anEntity({ spaceId, title: "harbour" }))
      const otherSpace = yield* aWorkspaceOf(personId)
      yield* isHidden(aReach(), entity.id, "a stranger")
      yield* isHidden(aReach({ personId, spaces: [otherSpace] }), entity.id, "another workspace")
      yield* isHidden(aReach({ personId, spaces: [] }), entity.id, "the person's own space")
      const confined = { personId, spaces: [spaceId, otherSpace] }
      yield* isHidden(aReach({ ...confined, workspaceId: otherSpace }), entity.id, "a key confined elsewhere")
      yield* isHidden(aReach({ ...confined, grant: { workspaceIds: [otherSpace] } }), entity.id, "a grant elsewhere")
      assert.deepStrictEqual(yield* getEntity(reach, entity.id), entity)
      assert.lengthOf(yield* eventsIn(spaceId, personId), 2)
    })
  )

  rule(
    "the entity store reads many entities at once, but only those that the caller may read",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const { id: note } = yield* addEntity(reach, anEntity({ spaceId, kind: "note", title: "Claim" }))
      const { id: task } = yield* addEntity(reach, anEntity({ spaceId, kind: "task", title: "Proof" }))
      const other = yield* aWorkspaceOf(personId)
      const mine = { personId, spaces: [spaceId, other] }
      const elsewhere = yield* addEntity(aReach(mine), anEntity({ spaceId: other, title: "Elsewhere" }))
      const own = yield* addEntity(reach, anEntity({ spaceId: personId, title: "Own" }))
      const removed = yield* addEntity(reach, anEntity({ spaceId, title: "Removed" }))
      assert.strictEqual(yield* removeEntity(reach, removed.id), removed.id)
      const ids = [task, uuidv7(), note, elsewhere.id, own.id, removed.id, note]
      const some: ReadonlyArray<readonly [string, ReachShape, ReadonlyArray<string>]> = [
        ["a stranger", aReach(), []],
        ["a member without the other space", aReach({ spaces: [spaceId] }), ["Claim", "Proof"]],
        ["a key confined elsewhere", aReach({ ...mine, workspaceId: other }), ["Elsewhere"]],
        ["a grant elsewhere", aReach({ ...mine, grant: { workspaceIds: [other] } }), ["Elsewhere"]],
        ["another kind", aReach({ ...mine, grant: { permissions: ["entity.task"] } }), ["Proof"]],
        ["one object", aReach({ ...mine, grant: { entityIds: [note] } }), ["Claim"]],
        ["relations alone", aReach({ ...mine, grant: { permissions: ["relation"] } }), []],
        ["a project", aReach({ ...mine, grant: { projectIds: [uuidv7()] } }), []],
        ["the person", aReach(mine), ["Claim", "Proof", "Elsewhere", "Own"]]
      ]
      for (const [who, each, titles] of some) {
        assert.sameMembers([...(yield* readableTitles(each, ids))], [...titles], who)
      }
    })
  )

  rule(
    "a read of several entities returns each entity once, and leaves out missing and archived entities",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const add = Effect.map(
        Effect.suspend(() => addEntity(reach, anEntity({ spaceId }))),
        ({ id }) => id
      )
      const [first, second, archived] = [yield* add, yield* add, yield* add]
      yield* removeEntity(reach, archived)
      const found = yield* readableIds(reach, [second, archived, uuidv7(), first, second])
      assert.deepStrictEqual(found, [first, second].toSorted())
      assert.deepStrictEqual(yield* readableIds(reach, []), [])
    })
  )

  rule(
    "an entity cannot be added to a space that the caller cannot access",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      for (const outside of [
        aReach(),
        aReach({ personId, spaces: [spaceId], role: "viewer" }),
        aReach({ personId, spaces: [spaceId], grant: { workspaceIds: [uuidv7()] } }),
        aReach({ personId, spaces: [spaceId], grant: { permissions: ["entity.note.read"] } }),
        aReach({ personId, spaces: [spaceId], kinds: ["task"] })
      ]) {
        const exit = yield* Effect.exit(addEntity(outside, anEntity({ spaceId, kind: "note" })))
        assert.isTrue(Exit.isFailure(exit))
      }
      assert.deepStrictEqual(yield* listIds(reach), [])
      assert.lengthOf(yield* eventsIn(spaceId, personId), 1)
    })
  )

  rule(
    "the entity store refuses an entity of an unknown profile, and writes no event",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const refusal = yield* Effect.flip(addEntity(reach, anEntity({ spaceId, kind: "unheard-of" })))
      assert.strictEqual(refusal._tag, "ProfileUnknown")
      assert.deepStrictEqual(yield* listIds(reach), [])
      assert.lengthOf(yield* eventsIn(spaceId, personId), 1)
    })
  )

  rule(
    "the entity store refuses an entity if a property definition of the profile was added or removed after the entity was checked",
    Effect.gen(function* () {
      const { forget, cachedSchemaFor } = yield* Profiles
      const { reach, spaceId } = yield* aMember()
      const currentStamp = Effect.gen(function* () {
        yield* forget("note", spaceId)
        return (yield* withReach(reach)(cachedSchemaFor("note", spaceId)))?.stamp ?? null
      })
      const earlier = yield* currentStamp
      const definition = { displayName: null, valueType: "text", constraints: {}, uiHints: {} } as const
      const profileId = seededNoteId
      const { id } = yield* addAnyRecord(reach, PropertyDef, spaceId, { ...definition, profileId, slug: "source" })
      const added = yield* currentStamp
      assert.notStrictEqual(added, earlier)
      const stale = anEntity({ spaceId, schemaStamp: earlier })
      assert.strictEqual((yield* Effect.flip(addEntity(reach, stale)))._tag, "ProfileUnknown")
      const { remove } = yield* Records
      yield* withReach(reach)(remove(PropertyDef, id, null, anyEvent(id, "delete"), aPassed))
      const beforeRemoval = anEntity({ spaceId, schemaStamp: added })
      assert.strictEqual((yield* Effect.flip(addEntity(reach, beforeRemoval)))._tag, "ProfileUnknown")
      assert.deepStrictEqual(yield* listIds(reach), [])
      const current = anEntity({ spaceId, schemaStamp: yield* currentStamp })
      assert.strictEqual((yield* addEntity(reach, current)).id, current.id)
    })
  )

  rule(
    "a key cannot read, list, find, change or remove an entity of a kind outside its grant",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const note = yield* addEntity(reach, anEntity({ spaceId, kind: "note", title: "harbour" }))
      const task = yield* addEntity(reach, anEntity({ spaceId, kind: "task", title: "harbour" }))
      const tasks = aReach({ personId, spaces: [spaceId], kinds: ["task"] })
      yield* isHidden(tasks, note.id, "another kind")
      assert.deepStrictEqual(yield* listIds(tasks), [task.id])
      assert.deepStrictEqual(yield* listIds(tasks, { kind: "note" }), [])
      assert.deepStrictEqual(yield* listIds(tasks, { kind: "task" }), [task.id])
      assert.deepStrictEqual(yield* listIds(reach, { kind: "note" }), [note.id])
      assert.deepStrictEqual((yield* getEntity(tasks, task.id))?.id, task.id)
      const both = aReach({ personId, spaces: [spaceId], kinds: ["task", "note"] })
      assert.sameMembers(yield* listIds(both), [note.id, task.id])
      yield* isHidden(aReach({ personId, spaces: [spaceId], grant: { permissions: [] } }), task.id, "an empty grant")
    })
  )

  rule(
    "if the slug of a kind is the text `null`, a key with a grant for this kind can read, list, find and count the entities of this kind",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      yield* addAnyRecord(reach, ProfileType, spaceId, {
        slug: "null",
        displayName: "Null",
        description: null,
        icon: null,
        color: null,
        profileKind: "kind",
        entityScope: "workspace",
        parentProfileId: null,
        defaultValues: {},
        uiHints: {},
        applicableKinds: []
      })
      const entity = yield* addEntity(reach, anEntity({ spaceId, kind: "null", title: "harbour" }))
      const note = yield* addEntity(reach, anEntity({ spaceId, kind: "note", title: "harbour" }))
      const reader = aReach({ personId, spaces: [spaceId], grant: { permissions: ["entity.null.read"] } })
      assert.deepStrictEqual(yield* getEntity(reader, entity.id), entity)
      assert.deepStrictEqual(yield* listIds(reader), [entity.id])
      assert.deepStrictEqual(yield* listIds(reader, { kind: "null" }), [entity.id])
      assert.deepStrictEqual(yield* searchIds(reader, "harbour"), [entity.id])
      yield* isTallied(reader)
      yield* isHidden(reader, note.id, "another kind")
    })
  )

  rule(
    "a key with a grant for objects sees exactly the entities that the grant lists",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const named = yield* addEntity(reach, anEntity({ spaceId, title: "harbour" }))
      const other = yield* addEntity(reach, anEntity({ spaceId, title: "harbour" }))
      const limited = aReach({ personId, spaces: [spaceId], grant: { entityIds: [named.id, uuidv7()] } })
      yield* isHidden(limited, other.id, "not on the list")
      assert.deepStrictEqual(yield* listIds(limited), [named.id])
      assert.strictEqual(yield* retitled(limited, named.id, "mine"), "mine")
      yield* isHidden(aReach({ personId, spaces: [spaceId], grant: { entityIds: [] } }), named.id, "an empty list")
      const foreign = yield* aMember()
      const theirs = aReach({ personId: foreign.personId, spaces: [foreign.spaceId], grant: { entityIds: [named.id] } })
      yield* isHidden(theirs, named.id, "named, but in a space out of reach")
    })
  )

  rule(
    "a key with a grant for projects sees exactly the entities that are in these projects",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const [projectId, otherProject] = [uuidv7(), uuidv7()]
      const filed = yield* addEntity(reach, anEntity({ spaceId, projectId, title: "harbour" }))
      const elsewhere = yield* addEntity(reach, anEntity({ spaceId, projectId: otherProject, title: "harbour" }))
      const unfiled = yield* addEntity(reach, anEntity({ spaceId, title: "harbour" }))
      const limited = aReach({ personId, spaces: [spaceId], grant: { projectIds: [projectId] } })
      for (const { id } of [elsewhere, unfiled]) yield* isHidden(limited, id, "not in the project")
      assert.deepStrictEqual(yield* listIds(limited), [filed.id])
      assert.deepStrictEqual((yield* locateEntity(limited, filed.id, "update"))?.projectIds, [projectId])
      assert.deepStrictEqual(yield* listIds(reach, { projectId: otherProject }), [elsewhere.id])
      assert.deepStrictEqual(yield* listIds(limited, { projectId: otherProject }), [])
      yield* isHidden(aReach({ personId, spaces: [spaceId], grant: { projectIds: [] } }), filed.id, "no project")
    })
  )

  rule(
    "on entities, a key can do exactly the actions that its grant allows",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const { id } = yield* addEntity(reach, anEntity({ spaceId }))
      const may = (...permissions: ReadonlyArray<string>) =>
        aReach({ personId, spaces: [spaceId], grant: { permissions } })
      const reader = may("entity.note.read")
      assert.isNotNull(yield* getEntity(reader, id))
      assert.isNotNull(yield* locateEntity(reader, id, "update"))
      assert.strictEqual(yield* changeEntity(reader, id, { title: "no" }), "EntityNotFound")
      assert.strictEqual(yield* removeEntity(reader, id), "EntityNotFound")
      const writer = may("entity.note.update")
      assert.isNull(yield* getEntity(writer, id))
      assert.deepStrictEqual(yield* listIds(writer), [])
      assert.isNotNull(yield* locateEntity(writer, id, "update"))
      assert.strictEqual(yield* removeEntity(writer, id), "EntityNotFound")
      assert.strictEqual(yield* retitled(writer, id, "written"), "written")
      assert.strictEqual(yield* removeEntity(may("entity.note.delete"), id), id)
      assert.isNull(yield* getEntity(reach, id))
    })
  )

  rule(
    "an editor of a workspace can change its entities but not remove them, and a viewer can only read them",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const { id } = yield* addEntity(reach, anEntity({ spaceId }))
      const editor = aReach({ personId, spaces: [spaceId], role: "editor" })
      assert.strictEqual(yield* removeEntity(editor, id), "EntityNotFound")
      assert.strictEqual(yield* retitled(editor, id, "edited"), "edited")
      const viewer = aReach({ personId, spaces: [spaceId], role: "viewer" })
      assert.strictEqual(yield* changeEntity(viewer, id, { title: "no" }), "EntityNotFound")
      assert.isNotNull(yield* getEntity(viewer, id))
    })
  )

  rule(
    "if a request states spaces, the listing of entities contains only the entities in these spaces that the caller may read",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const foreign = yield* aMember()
      const mine = yield* addEntity(reach, anEntity({ spaceId }))
      const own = yield* addEntity(reach, anEntity({ spaceId: personId }))
      yield* addEntity(foreign.reach, anEntity({ spaceId: foreign.spaceId }))
      assert.deepStrictEqual(yield* listIds(reach, {}, [foreign.spaceId]), [])
      assert.deepStrictEqual(yield* listIds(reach, {}, []), [])
      assert.deepStrictEqual(yield* listIds(reach, {}, [spaceId, foreign.spaceId]), [mine.id])
      assert.deepStrictEqual(yield* listIds(reach, {}, [personId]), [own.id])
      assert.isNull((yield* getEntity(reach, own.id))?.workspaceId)
      assert.strictEqual(mine.workspaceId, spaceId)
    })
  )

  rule(
    "a search finds exactly those matching entities that the caller can also read by id",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const foreign = yield* aMember()
      const projectId = uuidv7()
      const made = [
        yield* addEntity(reach, anEntity({ spaceId, title: "harbour crane" })),
        yield* addEntity(reach, anEntity({ spaceId, kind: "task", description: "paint the harbour wall" })),
        yield* addEntity(reach, anEntity({ spaceId: personId, title: "the harbour", projectId })),
        yield* addEntity(reach, anEntity({ spaceId, title: "mountain" }))
      ]
      yield* addEntity(foreign.reach, anEntity({ spaceId: foreign.spaceId, title: "harbour" }))
      const gone = yield* addEntity(reach, anEntity({ spaceId, title: "harbour" }))
      yield* removeEntity(reach, gone.id)
      const matching = made.slice(0, 3).map(({ id }) => id)
      for (const grant of [
        {},
        { permissions: ["entity.task"] },
        { entityIds: [made[0].id, made[3].id] },
        { projectIds: [projectId] },
        { workspaceIds: [spaceId] }
      ]) {
        const narrow = aReach({ personId, spaces: [spaceId], grant })
        const hits = yield* searchIds(narrow, "harbour")
        const readable = yield* Effect.filter(matching, (id) =>
          Effect.map(getEntity(narrow, id), (entity) => entity !== null)
        )
        assert.sameMembers(hits, readable, JSON.stringify(grant))
        assert.isAbove(hits.length, 0)
      }
    })
  )

  rule(
    "a search for entities in one project finds matching entities even if entities of other projects match better",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const projectId = uuidv7()
      const description = "a long text in which the word harbour stands once among many others"
      const filed = yield* addEntity(reach, anEntity({ spaceId, projectId, title: "report", description }))
      yield* Effect.forEach(Array.from({ length: 4 }), () => addEntity(reach, anEntity({ spaceId, title: "harbour" })))
      assert.deepStrictEqual(yield* listIds(reach, { search: "harbour", projectId, limit: 2 }), [filed.id])
    })
  )

  rule(
    "an entity in the personal space of one person is hidden from every other person",
    Effect.gen(function* () {
      const { personId, reach } = yield* aMember()
      const entity = yield* addEntity(reach, anEntity({ spaceId: personId, title: "harbour" }))
      const other = yield* aPerson
      yield* isHidden(aReach({ personId: other }), entity.id, "another person")
    })
  )
}
