/**
 * What every store of relations must do: a relation is visible only if both of its entities are visible. The tests run
 * on memory, PGlite and PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { RelationStore } from "../../../src/features/relations/RelationStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, aWorkspaceOf, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { addEntity, anEntity, removeEntity } from "../entities/entityCalls.ts"
import { aPassed } from "../../support/passed.ts"

const store = <A, E>(reach: ReachShape, call: (store: typeof RelationStore.Service) => Effect.Effect<A, E, any>) =>
  withReach(reach)(Effect.flatMap(RelationStore, call))

interface Edge {
  readonly spaceId: string
  readonly from: string
  readonly to: string
  readonly type?: string
}

const eventAbout = (id: string) => ({ type: "relation.test", subjectId: id, data: {} })

const drawn = (reach: ReachShape, { from, spaceId, to, type = "supports" }: Edge) => {
  const id = uuidv7()
  return store(reach, ({ add }) =>
    add(
      { id, spaceId, sourceEntityId: from, targetEntityId: to, type, metadata: { by: "test" } },
      eventAbout(id),
      aPassed
    )
  )
}
const everything = { spaces: null, entityId: undefined, type: undefined, limit: 100, offset: 0, cursor: undefined }
const listed = (reach: ReachShape, more: Partial<Parameters<typeof RelationStore.Service.list>[0]> = {}) =>
  Effect.map(
    store(reach, ({ list }) => list({ ...everything, ...more })),
    ({ items }) => items.map(({ id }) => id)
  )
const figures = (reach: ReachShape, entityId: string) =>
  Effect.map(
    store(reach, ({ connections }) => connections(entityId, 50, 100)),
    ({ connections, counts }) => [connections.map((each) => each.entityId), counts.total] as const
  )

/** Asserts that the caller with these access rights cannot learn anything about the relation. */
const isHidden = (reach: ReachShape, id: string, edge: Edge, why: string) =>
  Effect.gen(function* () {
    assert.notInclude(yield* listed(reach), id, why)
    assert.notInclude(yield* listed(reach, { entityId: edge.from }), id, why)
    for (const end of [edge.from, edge.to]) assert.deepStrictEqual(yield* figures(reach, end), [[], 0], why)
    const named = { sourceEntityId: edge.from, targetEntityId: edge.to, type: "supports" }
    assert.isNull(yield* store(reach, ({ find }) => find(named)), why)
    for (const tried of [
      store(reach, ({ get }) => Effect.asVoid(get(id))),
      store(reach, ({ locate }) => Effect.asVoid(locate(id))),
      store(reach, ({ remove }) => Effect.asVoid(remove(id, null, eventAbout(id), aPassed)))
    ]) {
      assert.strictEqual((yield* Effect.flip(tried))._tag, "RelationNotFound", why)
    }
  })

/**
 * Asserts that the caller with these access rights cannot learn anything about the relation, and cannot create a
 * relation between the same entities.
 */
const isClosed = (reach: ReachShape, id: string, edge: Edge, why: string) =>
  Effect.zipRight(
    isHidden(reach, id, edge, why),
    Effect.map(drawn(reach, { ...edge, type: "opposes" }), (made) => assert.isNull(made, why))
  )

/** A note and a task in the workspace of a new person, and a relation between them. */
const aPair = Effect.gen(function* () {
  const { personId, reach, spaceId } = yield* aMember()
  const projectId = uuidv7()
  const note = yield* addEntity(reach, anEntity({ spaceId, kind: "note", projectId }))
  const task = yield* addEntity(reach, anEntity({ spaceId, kind: "task", projectId }))
  const edge = { spaceId, from: note.id, to: task.id }
  const relation = yield* drawn(reach, edge)
  assert.isNotNull(relation)
  return { personId, spaceId, reach, projectId, edge, relation }
})

export const relationStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a caller who cannot access the space of a relation, or may not read relations, gets no information about the relation",
    Effect.gen(function* () {
      const { edge, personId, relation, spaceId } = yield* aPair
      const other = yield* aWorkspaceOf(personId)
      const mine = { personId, spaces: [spaceId, other] }
      yield* isClosed(aReach(), relation.id, edge, "a stranger")
      yield* isClosed(aReach({ ...mine, workspaceId: other }), relation.id, edge, "a key confined elsewhere")
      yield* isClosed(aReach({ ...mine, grant: { workspaceIds: [other] } }), relation.id, edge, "a grant elsewhere")
      yield* isClosed(aReach({ ...mine, grant: { permissions: ["entity"] } }), relation.id, edge, "entities alone")
      yield* isClosed(aReach({ ...mine, grant: { permissions: ["relation"] } }), relation.id, edge, "relations alone")
    })
  )

  rule(
    "a caller who cannot read one of the two entities of a relation gets no information about the relation and cannot create such a relation",
    Effect.gen(function* () {
      const { edge, personId, projectId, relation, spaceId } = yield* aPair
      const granted = (grant: Parameters<typeof aReach>[0]) => aReach({ personId, spaces: [spaceId], ...grant })
      const kinds = (...permissions: ReadonlyArray<string>) => granted({ grant: { permissions } })
      yield* isClosed(kinds("relation", "entity.note"), relation.id, edge, "the source's kind alone")
      yield* isClosed(kinds("relation", "entity.task"), relation.id, edge, "the target's kind alone")
      for (const entityIds of [[edge.from], [edge.to], [relation.id], []]) {
        yield* isClosed(granted({ grant: { entityIds } }), relation.id, edge, `objects ${entityIds.length}`)
      }
      yield* isClosed(granted({ grant: { projectIds: [projectId] } }), relation.id, edge, "projects: edges are in none")
      const both = [
        kinds("relation", "entity.note", "entity.task"),
        granted({ grant: { entityIds: [edge.from, edge.to] } })
      ]
      for (const reach of both) {
        assert.deepStrictEqual(yield* listed(reach), [relation.id])
        assert.deepStrictEqual(yield* figures(reach, edge.from), [[edge.to], 1])
        assert.deepStrictEqual(yield* figures(reach, edge.to), [[edge.from], 1])
      }
    })
  )

  rule(
    "a relation disappears for all people when one of its two entities is archived",
    Effect.gen(function* () {
      const { edge, reach, relation } = yield* aPair
      assert.strictEqual(yield* removeEntity(reach, edge.to), edge.to)
      yield* isClosed(reach, relation.id, edge, "an archived end")
    })
  )

  rule(
    "a relation in a personal space is visible only to the person whose space it is",
    Effect.gen(function* () {
      const { personId, reach } = yield* aMember()
      const [one, two] = [
        yield* addEntity(reach, anEntity({ spaceId: personId })),
        yield* addEntity(reach, anEntity({ spaceId: personId }))
      ]
      const edge = { spaceId: personId, from: one.id, to: two.id }
      const relation = yield* drawn(reach, edge)
      assert.isNull(relation?.workspaceId)
      assert.deepStrictEqual(yield* listed(reach), [relation.id])
      yield* isHidden(aReach({ spaces: [personId] }), relation.id, edge, "somebody who is let into that space")
    })
  )

  rule(
    "a relation exists only once, and after its removal it can be created again, but then the removed relation can no longer be restored",
    Effect.gen(function* () {
      const { edge, personId, reach, relation, spaceId } = yield* aPair
      const before = (yield* eventsIn(spaceId, personId)).length
      assert.isNull(yield* drawn(reach, edge))
      assert.lengthOf(yield* eventsIn(spaceId, personId), before)
      const refused = store(reach, ({ remove }) => remove(relation.id, 7, eventAbout(relation.id), aPassed))
      assert.strictEqual((yield* Effect.flip(refused))._tag, "RelationNotFound")
      const gone = yield* store(reach, ({ remove }) => remove(relation.id, 1, eventAbout(relation.id), aPassed))
      assert.strictEqual(gone.version, 2)
      assert.deepStrictEqual(yield* listed(reach), [])
      const back = yield* store(reach, ({ restore }) => restore(relation.id, eventAbout(relation.id), aPassed))
      assert.deepStrictEqual([back.id, back.version], [relation.id, 3])
      yield* store(reach, ({ remove }) => remove(relation.id, null, eventAbout(relation.id), aPassed))
      const again = yield* drawn(reach, edge)
      assert.deepStrictEqual(yield* listed(reach), [again!.id])
      const third = store(reach, ({ restore }) => restore(relation.id, eventAbout(relation.id), aPassed))
      assert.strictEqual((yield* Effect.flip(third))._tag, "RelationNotFound")
    })
  )

  rule(
    "a relation can be created only in the space of its two entities",
    Effect.gen(function* () {
      const { edge, personId, spaceId } = yield* aPair
      const other = yield* aWorkspaceOf(personId)
      const reach = aReach({ personId, spaces: [spaceId, other] })
      const elsewhere = yield* addEntity(reach, anEntity({ spaceId: other }))
      assert.isNull(yield* drawn(reach, { ...edge, to: elsewhere.id }))
      assert.isNull(yield* drawn(reach, { ...edge, spaceId: other, type: "opposes" }))
      assert.isNull(yield* drawn(reach, { ...edge, to: uuidv7() }))
    })
  )

  rule(
    "the pages of a relation listing show each relation once in a fixed order, and with a filter the listing contains only the relations that match",
    Effect.gen(function* () {
      const { edge, reach, relation, spaceId } = yield* aPair
      const further: Array<string> = []
      for (const type of ["opposes", "follows", "quotes", "names"]) {
        further.push((yield* drawn(reach, { ...edge, from: edge.to, to: edge.from, type }))!.id)
      }
      const all = [relation.id, ...further].toReversed()
      assert.deepStrictEqual(yield* listed(reach), all)
      const paged: Array<string> = []
      let cursor: { readonly at: null; readonly id: string } | undefined
      do {
        const page = yield* listed(reach, { limit: 2, cursor })
        paged.push(...page)
        cursor = page.length < 2 ? undefined : { at: null, id: page[1] }
      } while (cursor !== undefined)
      assert.deepStrictEqual(paged, all)
      assert.deepStrictEqual(yield* listed(reach, { limit: 2, offset: 3 }), all.slice(3))
      assert.deepStrictEqual(yield* listed(reach, { type: "supports" }), [relation.id])
      assert.deepStrictEqual(yield* listed(reach, { entityId: edge.to }), all)
      assert.deepStrictEqual(yield* listed(reach, { entityId: uuidv7() }), [])
      assert.deepStrictEqual(yield* listed(reach, { spaces: [spaceId] }), all)
      assert.deepStrictEqual(yield* listed(reach, { spaces: [uuidv7()] }), [])
      const { connections, counts } = yield* store(reach, (kept) => kept.connections(edge.from, 2, 100))
      assert.deepStrictEqual(
        connections.map(({ direction, relationType }) => [relationType, direction]),
        [
          ["names", "incoming"],
          ["quotes", "incoming"]
        ]
      )
      assert.deepStrictEqual(counts, {
        total: 5,
        byType: { supports: 1, opposes: 1, follows: 1, quotes: 1, names: 1 }
      })
      // The store counts only the latest two of the four incoming relations.
      const capped = yield* store(reach, (kept) => kept.connections(edge.from, 10, 2))
      assert.deepStrictEqual(
        capped.connections.map(({ relationType }) => relationType),
        ["names", "quotes", "supports"]
      )
      assert.deepStrictEqual(capped.counts, { total: 3, byType: { supports: 1, quotes: 1, names: 1 } })
    })
  )
}
