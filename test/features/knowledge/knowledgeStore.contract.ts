/** What every store of knowledge entries must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Context, Effect, type Layer, Option, TestClock } from "effect"
import type { PagePlace } from "../../../src/doors/PageOrder.ts"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import {
  type KnowledgeChange,
  type KnowledgeFilter,
  KnowledgeStore,
  type NewKnowledge
} from "../../../src/features/knowledge/KnowledgeStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aReach, type ReachOptions } from "../../support/reach.ts"
import { withReach } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"
import { idsByCursor, itemsOf } from "../../support/pages.ts"

/** Opens the event log of a space in a test. In the pod, the features of people and workspaces do this. */
export class Spaces extends Context.Tag("test/Spaces")<
  Spaces,
  { readonly open: (spaceId: string) => Effect.Effect<void> }
>() {}

export const anEntry = (entry: Partial<NewKnowledge> & { readonly spaceId: string }): NewKnowledge => ({
  id: uuidv7(),
  key: "deploy",
  value: { steps: ["build", "ship"] },
  namespace: null,
  slug: null,
  status: "active",
  author: "somebody",
  ...entry
})

const anEvent = (id: string, type = "entity.knowledge.create") => ({ type, subjectId: id, data: { key: "deploy" } })
export const archiving = { action: "delete", from: "live", fields: { status: "archived" } } as const

/** An absent option becomes null here, because chai finds Option.some and Option.none deeply equal. */
const orNull = <A, E, R>(work: Effect.Effect<Option.Option<A>, E, R>) => Effect.map(work, Option.getOrNull)

/** Makes a new workspace with an owner. */
export const aWorkspace = Effect.fnUntraced(function* (options: ReachOptions = {}) {
  const spaceId = uuidv7()
  yield* Effect.flatMap(Spaces, ({ open }) => open(spaceId))
  return { spaceId, owner: aReach({ ...options, spaces: [spaceId] }) }
})

export const addEntry = (reach: ReachShape, entry: NewKnowledge) =>
  Effect.flatMap(KnowledgeStore, (store) => withReach(reach)(store.add(entry, anEvent(entry.id), aPassed)))

const listed = (reach: ReachShape, filter: Partial<KnowledgeFilter> & { readonly spaceId: string }) =>
  Effect.flatMap(KnowledgeStore, (store) =>
    withReach(reach)(store.list({ namespace: undefined, status: undefined, limit: 50, offset: 0, ...filter }))
  ).pipe(Effect.map(({ items }) => items.map(({ key }) => key)))

/** Finds the entry `deploy` by its key. Asserts that a read by its id finds the same entry. */
export const getEntry = (
  reach: ReachShape,
  spaceId: string,
  action: "read" | "create" | "update" | "delete" = "read"
) =>
  Effect.gen(function* () {
    const { find, listByIds } = yield* KnowledgeStore
    const found = yield* orNull(withReach(reach)(find({ spaceId, key: "deploy" }, action)))
    if (found !== null && action === "read") {
      assert.deepStrictEqual(yield* withReach(reach)(listByIds([found.id, uuidv7()])), [found])
    }
    return found
  })

export const eventsOf = (reach: ReachShape) =>
  itemsOf(Effect.flatMap(EventLog, (log) => withReach(reach)(log.list({ limit: 50 }))))

export const changeEntry = (reach: ReachShape, spaceId: string, change: Partial<KnowledgeChange>) =>
  Effect.flatMap(KnowledgeStore, (store) =>
    withReach(reach)(
      store.change(
        { spaceId, key: "deploy" },
        { action: "update", from: "any", fields: { status: "changed" }, ...change },
        anEvent(uuidv7(), `entity.knowledge.${change.action ?? "update"}`),
        aPassed
      )
    )
  ).pipe(orNull)

export const knowledgeStoreContract = (stores: Layer.Layer<KnowledgeStore | EventLog | Spaces>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, KnowledgeStore | EventLog | Spaces>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a caller cannot find, list or write a knowledge entry in a space that the caller cannot access, and the attempts write no event",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      const stranger = aReach()
      const entry = yield* addEntry(owner, anEntry({ spaceId }))
      for (const action of ["read", "create", "update", "delete"] as const) {
        assert.deepStrictEqual(yield* getEntry(stranger, spaceId, action), null)
        if (action !== "read") {
          assert.deepStrictEqual(yield* changeEntry(stranger, spaceId, { action }), null)
        }
      }
      assert.deepStrictEqual(yield* listed(stranger, { spaceId }), [])
      assert.strictEqual(
        (yield* Effect.flip(addEntry(stranger, anEntry({ spaceId, key: "mine" }))))._tag,
        "KnowledgeKeyTaken"
      )
      assert.deepStrictEqual(yield* getEntry(owner, spaceId), entry)
      assert.deepStrictEqual(yield* listed(owner, { spaceId }), ["deploy"])
      assert.lengthOf(yield* eventsOf(owner), 1)
    })
  )

  rule(
    "a key with a grant for another kind of record, for an object or for a project can access no knowledge entry in the same space",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      const entry = yield* addEntry(owner, anEntry({ spaceId }))
      for (const options of [
        { kinds: ["task", "note"] },
        { grant: { entityIds: [entry.id] } },
        { grant: { projectIds: [uuidv7()] } },
        { grant: { permissions: [] } },
        { grant: { permissions: ["document", "event.*"] } }
      ]) {
        const narrow = aReach({ ...options, personId: owner.principal.personId, spaces: [spaceId] })
        const context = JSON.stringify(options)
        assert.deepStrictEqual(yield* getEntry(narrow, spaceId), null, context)
        assert.deepStrictEqual(yield* listed(narrow, { spaceId }), [], context)
        assert.deepStrictEqual(yield* changeEntry(narrow, spaceId, archiving), null, context)
        yield* Effect.flip(addEntry(narrow, anEntry({ spaceId, key: "more" })))
      }
      assert.deepStrictEqual(yield* listed(owner, { spaceId }), ["deploy"])
      assert.lengthOf(yield* eventsOf(owner), 1)
    })
  )

  rule(
    "the counts of knowledge entries and the list of the latest entries include only spaces that the caller may read, and no archived entries",
    Effect.gen(function* () {
      const [one, other] = [yield* aWorkspace(), yield* aWorkspace()]
      const { personId } = one.owner.principal
      yield* addEntry(one.owner, anEntry({ spaceId: one.spaceId }))
      yield* changeEntry(one.owner, one.spaceId, archiving)
      yield* addEntry(one.owner, anEntry({ spaceId: one.spaceId, key: "first" }))
      yield* addEntry(one.owner, anEntry({ spaceId: one.spaceId, key: "second" }))
      yield* addEntry(other.owner, anEntry({ spaceId: other.spaceId, key: "hidden" }))
      const overview = (reach: ReachShape) =>
        Effect.flatMap(KnowledgeStore, ({ latest, countBySpace }) =>
          withReach(reach)(Effect.all([countBySpace, latest(10)]))
        ).pipe(Effect.map(([counts, entries]) => ({ counts, keys: entries.map(({ key }) => key) })))
      const found = yield* overview(one.owner)
      assert.deepStrictEqual(found.counts, [{ spaceId: one.spaceId, count: 2 }])
      assert.sameMembers(found.keys, ["first", "second"])
      for (const options of [
        { kinds: ["note"] },
        { grant: { entityIds: [uuidv7()] } },
        { grant: { permissions: [] } }
      ]) {
        const narrow = aReach({ ...options, personId, spaces: [one.spaceId] })
        assert.deepStrictEqual(yield* overview(narrow), { counts: [], keys: [] })
      }
    })
  )

  rule(
    "on knowledge entries, a key can do exactly the actions that its grant allows",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      yield* addEntry(owner, anEntry({ spaceId }))
      const reader = aReach({ grant: { permissions: ["entity.knowledge.read"] }, spaces: [spaceId] })
      assert.isNotNull(yield* getEntry(reader, spaceId))
      assert.deepStrictEqual(yield* changeEntry(reader, spaceId, {}), null)
      const writer = aReach({ grant: { permissions: ["entity.knowledge.update"] }, spaces: [spaceId] })
      assert.deepStrictEqual(yield* getEntry(writer, spaceId), null)
      assert.isNotNull(yield* changeEntry(writer, spaceId, {}))
      assert.deepStrictEqual(yield* changeEntry(writer, spaceId, archiving), null)
    })
  )

  rule(
    "an editor of a workspace can change its knowledge entries but not archive them, and a viewer can only read them",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      yield* addEntry(owner, anEntry({ spaceId }))
      const editor = aReach({ spaces: [spaceId], role: "editor" })
      assert.isNotNull(yield* changeEntry(editor, spaceId, {}))
      assert.deepStrictEqual(yield* changeEntry(editor, spaceId, archiving), null)
      const viewer = aReach({ spaces: [spaceId], role: "viewer" })
      assert.isNotNull(yield* getEntry(viewer, spaceId))
      assert.deepStrictEqual(yield* changeEntry(viewer, spaceId, {}), null)
    })
  )

  rule(
    "the knowledge store refuses a second knowledge entry with the same entry key in a space, and writes no event",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      const first = yield* addEntry(owner, anEntry({ spaceId }))
      const refusal = yield* Effect.flip(addEntry(owner, anEntry({ spaceId, value: "other" })))
      assert.strictEqual(refusal.key, "deploy")
      assert.deepStrictEqual(yield* getEntry(owner, spaceId), first)
      assert.lengthOf(yield* eventsOf(owner), 1)
    })
  )

  rule(
    "two knowledge entries in different spaces can have the same entry key",
    Effect.gen(function* () {
      const one = yield* aWorkspace()
      const other = yield* aWorkspace()
      yield* addEntry(one.owner, anEntry({ spaceId: one.spaceId, value: 1 }))
      yield* addEntry(other.owner, anEntry({ spaceId: other.spaceId, value: 2 }))
      const both = aReach({ spaces: [one.spaceId, other.spaceId] })
      assert.strictEqual((yield* getEntry(both, one.spaceId))?.value, 1)
      assert.strictEqual((yield* getEntry(both, other.spaceId))?.value, 2)
      assert.deepStrictEqual(yield* listed(both, { spaceId: one.spaceId }), ["deploy"])
    })
  )

  rule(
    "when many callers create one knowledge entry at the same moment, only one call succeeds, and when many callers archive the entry, only one call succeeds",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      const writers = Array.from({ length: 8 }, () => Effect.either(addEntry(owner, anEntry({ spaceId }))))
      const results = yield* Effect.all(writers, { concurrency: "unbounded" })
      assert.lengthOf(
        results.filter(({ _tag }) => _tag === "Right"),
        1
      )
      const archivers = Array.from({ length: 8 }, () => changeEntry(owner, spaceId, archiving))
      const archived = yield* Effect.all(archivers, { concurrency: "unbounded" })
      assert.lengthOf(
        archived.filter((entry) => entry !== null),
        1
      )
      const events = yield* eventsOf(owner)
      assert.deepStrictEqual(
        events.map(({ seq, type }) => [seq, type]).toSorted(([one], [other]) => Number(one) - Number(other)),
        [
          [1, "entity.knowledge.create"],
          [2, "entity.knowledge.delete"]
        ]
      )
    })
  )

  for (const value of [null, "", "text", "null", 0, false, [], {}, { a: [null, { ключ: "значение 🗝️" }] }]) {
    rule(
      `a reader gets the stored knowledge value ${JSON.stringify(value)} unchanged`,
      Effect.gen(function* () {
        const { spaceId, owner } = yield* aWorkspace()
        assert.deepStrictEqual((yield* addEntry(owner, anEntry({ spaceId, value }))).value, value)
        assert.deepStrictEqual((yield* getEntry(owner, spaceId))?.value, value)
        yield* changeEntry(owner, spaceId, { fields: { value: "between" } })
        const again = yield* changeEntry(owner, spaceId, { fields: { value } })
        assert.deepStrictEqual(again?.value, value)
      })
    )
  }

  rule(
    "a stored knowledge entry has every field that was written, and its event describes the entry",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      const made = anEntry({ spaceId, namespace: "ops", slug: "how-to", status: "draft" })
      const { createdAt, updatedAt, ...entry } = yield* addEntry(owner, made)
      const { spaceId: _, ...fields } = made
      assert.deepStrictEqual(entry, { ...fields, workspaceId: spaceId, version: 1 })
      assert.deepStrictEqual(createdAt, updatedAt)
      const [event] = yield* eventsOf(owner)
      assert.deepInclude(event, { type: "entity.knowledge.create", subjectId: made.id, data: { key: "deploy" } })
      assert.deepInclude(event, { workspaceId: spaceId, userId: owner.principal.personId, seq: 1 })
    })
  )

  rule(
    "a knowledge entry in a person's own space has no workspace",
    Effect.gen(function* () {
      const person = aReach()
      const spaceId = person.principal.personId
      yield* Effect.flatMap(Spaces, ({ open }) => open(spaceId))
      assert.isNull((yield* addEntry(person, anEntry({ spaceId }))).workspaceId)
      assert.isNull((yield* getEntry(person, spaceId))?.workspaceId)
    })
  )

  rule(
    "a change of a knowledge entry sets exactly the fields in the change, and can set a value to `null`",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      const entry = yield* addEntry(owner, anEntry({ spaceId, namespace: "ops", slug: "how-to" }))
      yield* TestClock.adjust("1 second")
      const after = yield* changeEntry(owner, spaceId, { fields: { value: null, namespace: null, author: "another" } })
      assert.isNotNull(after)
      assert.deepStrictEqual(after, {
        ...entry,
        value: null,
        namespace: null,
        author: "another",
        version: 2,
        updatedAt: after.updatedAt
      })
      assert.deepStrictEqual(yield* getEntry(owner, spaceId), after)
    })
  )

  rule(
    "knowledge entries are listed newest first, in pages, and archived entries are listed only if the request asks for their status",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      for (const [key, namespace] of [
        ["deploy", "ops"],
        ["first", "ops"],
        ["second", null],
        ["third", "ops"]
      ] as const) {
        yield* addEntry(owner, anEntry({ spaceId, key, namespace }))
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(yield* listed(owner, { spaceId }), ["third", "second", "first", "deploy"])
      yield* changeEntry(owner, spaceId, { fields: { status: "active" } })
      assert.deepStrictEqual(yield* listed(owner, { spaceId, limit: 2 }), ["deploy", "third"])
      assert.deepStrictEqual(yield* listed(owner, { spaceId, limit: 2, offset: 2 }), ["second", "first"])
      assert.deepStrictEqual(yield* listed(owner, { spaceId, offset: 4 }), [])
      assert.deepStrictEqual(yield* listed(owner, { spaceId, namespace: "ops" }), ["deploy", "third", "first"])
      yield* changeEntry(owner, spaceId, archiving)
      assert.deepStrictEqual(yield* listed(owner, { spaceId }), ["third", "second", "first"])
      assert.deepStrictEqual(yield* listed(owner, { spaceId, status: "archived" }), ["deploy"])
      assert.deepStrictEqual(yield* listed(owner, { spaceId, status: "active", namespace: "ops" }), ["third", "first"])
    })
  )

  rule(
    "if an entry is added, changed or archived between two pages of knowledge entries, every other entry appears exactly once",
    Effect.gen(function* () {
      const { spaceId, owner } = yield* aWorkspace()
      const store = yield* KnowledgeStore
      const made: Array<string> = []
      for (const key of ["one", "two", "three", "four", "deploy", "six"]) {
        made.push((yield* addEntry(owner, anEntry({ spaceId, key }))).id)
        yield* TestClock.adjust("1 second")
      }
      const filter = { spaceId, namespace: undefined, status: undefined }
      const page = (place: PagePlace) => withReach(owner)(store.list({ ...filter, ...place }))
      const newest = made.toReversed()
      assert.deepStrictEqual((yield* idsByCursor(page, 2)).flat(), newest)
      // The first page has `six` and `deploy`. Then a new entry comes, and `deploy` leaves the list.
      const changing = Effect.zipRight(
        addEntry(owner, anEntry({ spaceId, key: "seven" })),
        changeEntry(owner, spaceId, archiving)
      )
      assert.deepStrictEqual((yield* idsByCursor(page, 2, changing)).flat(), newest)
      const stranger = aReach()
      const { next } = yield* page({ limit: 2 })
      const beyond = { ...filter, limit: 10, cursor: next ?? undefined }
      assert.deepStrictEqual(yield* withReach(stranger)(store.list(beyond)), { items: [], next: null })
    })
  )
}
