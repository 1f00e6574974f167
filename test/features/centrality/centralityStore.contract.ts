/** What every store of rankings must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { topMax } from "../../../src/features/centrality/Centrality.ts"
import { CentralityStore } from "../../../src/features/centrality/CentralityStore.ts"
import { RelationStore } from "../../../src/features/relations/RelationStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { anyEvent } from "../../support/anyRecord.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, aPerson } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { addEntity, anEntity, removeEntity } from "../entities/entityCalls.ts"

const store = Effect.flatMap(CentralityStore, Effect.succeed)
const edges = (reach: ReachShape) => Effect.flatMap(store, (kept) => withReach(reach)(kept.edges))
const ranking = (reach: ReachShape) => Effect.flatMap(store, (kept) => withReach(reach)(kept.ranking))
const keep = (reach: ReachShape, ids: ReadonlyArray<string>) =>
  Effect.flatMap(store, (kept) =>
    withReach(reach)(kept.keep(ids.map((id, at) => ({ id, score: (ids.length - at) / 64 }))))
  )
const top = (reach: ReachShape) => Effect.map(ranking(reach), (found) => found?.top.map(({ id }) => id))

/** Makes a note that supports a task, in the workspace of a new person. */
const aPair = Effect.gen(function* () {
  const { personId, reach, spaceId } = yield* aMember()
  const source = (yield* addEntity(reach, anEntity({ spaceId }))).id
  const target = (yield* addEntity(reach, anEntity({ spaceId, kind: "task" }))).id
  const edge = { id: uuidv7(), spaceId, sourceEntityId: source, targetEntityId: target, type: "supports", metadata: {} }
  const { add } = yield* RelationStore
  yield* withReach(reach)(add(edge, anyEvent(edge.id), aPassed))
  return { personId, reach, spaceId, source, target }
})

export const centralityStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "the ranking of entities counts a relation only if the caller may read both of its entities",
    Effect.gen(function* () {
      const { personId, reach, source, spaceId, target } = yield* aPair
      const mine = { personId, spaces: [spaceId] }
      for (const blind of [
        aReach(),
        aReach({ ...mine, grant: { permissions: ["entity"] } }),
        aReach({ ...mine, grant: { permissions: ["relation"] } }),
        aReach({ ...mine, grant: { permissions: ["relation", "entity.note"] } }),
        aReach({ ...mine, grant: { entityIds: [source] } }),
        aReach({ ...mine, grant: { projectIds: [uuidv7()] } })
      ]) {
        assert.deepStrictEqual(yield* edges(blind), [])
      }
      assert.deepStrictEqual(yield* edges(reach), [{ source, target }])
      yield* removeEntity(reach, target)
      assert.deepStrictEqual(yield* edges(reach), [])
    })
  )

  rule(
    "if no ranking of entities was computed for a person, the ranking store returns no ranking to this person, even if other people have a ranking",
    Effect.gen(function* () {
      const { reach, source, spaceId } = yield* aPair
      const colleague = aReach({ personId: yield* aPerson, spaces: [spaceId] })
      assert.isNull(yield* ranking(reach))
      yield* keep(reach, [source])
      assert.isNull(yield* ranking(colleague))
      assert.deepStrictEqual(yield* top(reach), [source])
    })
  )

  rule(
    "the ranking of entities shows only entities that the caller may read at the time of the request",
    Effect.gen(function* () {
      const { personId, reach, source, spaceId, target } = yield* aPair
      yield* keep(reach, [target, source])
      const notes = aReach({ personId, spaces: [spaceId], kinds: ["note"] })
      const seen = yield* ranking(notes)
      assert.deepStrictEqual([seen?.rows, seen?.top.map(({ id }) => id)], [1, [source]])
      const elsewhere = yield* ranking(aReach({ personId }))
      assert.deepStrictEqual([elsewhere?.rows, elsewhere?.top], [0, []])
      yield* removeEntity(reach, target)
      assert.deepStrictEqual(yield* top(reach), [source])
    })
  )

  rule(
    "a new ranking of a person's entities replaces the person's earlier ranking, and the status of the ranking lists only the entities with the highest ranks",
    Effect.gen(function* () {
      const { reach, source, spaceId, target } = yield* aPair
      yield* keep(reach, [source])
      const ids = [target]
      for (let at = 0; at < topMax; at += 1) ids.push((yield* addEntity(reach, anEntity({ spaceId }))).id)
      yield* keep(reach, ids)
      const kept = yield* ranking(reach)
      assert.strictEqual(kept?.rows, topMax + 1)
      assert.deepStrictEqual(yield* top(reach), ids.slice(0, topMax))
      yield* keep(reach, [])
      assert.deepStrictEqual([(yield* ranking(reach))?.rows, yield* top(reach)], [0, []])
    })
  )
}
