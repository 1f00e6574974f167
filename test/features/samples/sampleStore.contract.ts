/** What every store of the sample workspaces must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { SampleStore } from "../../../src/features/samples/SampleStore.ts"
import { WorkspaceStore } from "../../../src/features/workspaces/WorkspaceStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { sampleTemplate, sampleType } from "../../../src/shared/SampleMark.ts"
import { aPassed } from "../../support/passed.ts"
import { aPerson, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { type Stores, withReach } from "../../support/stores.ts"
import { addEntity, anEntity } from "../entities/entityCalls.ts"

const isPresent = (personId: string, id: string) =>
  Effect.gen(function* () {
    const { list } = yield* WorkspaceStore
    const workspaces = yield* withReach(aReach({ personId, spaces: [id] }))(list)
    return workspaces.some((workspace) => workspace.id === id)
  })

/** Stores a sample workspace of a person. Returns the id of the workspace. */
const aSampleOf = (personId: string, templateId = sampleTemplate, workspaceType = sampleType) =>
  Effect.gen(function* () {
    const { add } = yield* WorkspaceStore
    const sample = { id: uuidv7(), name: "Sample", workspaceType, templateId, proposalId: null, definition: {} }
    yield* withReach(aReach({ personId }))(add(sample, aPassed))
    return sample.id
  })

export const sampleStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a sample workspace of another person cannot be removed, not even by an owner of this workspace",
    Effect.gen(function* () {
      const { list, remove } = yield* SampleStore
      const [owner, other] = [yield* aPerson, yield* aPerson]
      const id = yield* aSampleOf(owner)
      const asStranger = withReach(aReach({ personId: other }))
      assert.deepStrictEqual(yield* asStranger(list), [])
      assert.isFalse(yield* asStranger(remove(id, aPassed)))
      const asMember = withReach(aReach({ personId: other, spaces: [id] }))
      assert.deepStrictEqual(yield* asMember(list), [{ id, isOwn: false }])
      assert.isFalse(yield* asMember(remove(id, aPassed)))
      assert.isTrue(yield* isPresent(owner, id))
      assert.deepStrictEqual(yield* eventsIn(other, other), [])
    })
  )

  rule(
    "a workspace that the call may not access cannot be removed, even if it belongs to the caller",
    Effect.gen(function* () {
      const { list, remove } = yield* SampleStore
      const personId = yield* aPerson
      const id = yield* aSampleOf(personId)
      for (const elsewhere of [aReach({ personId }), aReach({ personId, spaces: [id], workspaceId: uuidv7() })]) {
        assert.deepStrictEqual(yield* withReach(elsewhere)(list), [])
        assert.isFalse(yield* withReach(elsewhere)(remove(id, aPassed)))
      }
      assert.isTrue(yield* isPresent(personId, id))
    })
  )

  rule(
    "a workspace can be removed as sample data only if it has the template and the type of a sample workspace",
    Effect.gen(function* () {
      const { list, remove } = yield* SampleStore
      const personId = yield* aPerson
      const ids = [yield* aSampleOf(personId, "other"), yield* aSampleOf(personId, sampleTemplate, "team")]
      for (const id of [...ids, personId]) {
        const asOwner = withReach(aReach({ personId, spaces: [id] }))
        assert.deepStrictEqual(yield* asOwner(list), [])
        assert.isFalse(yield* asOwner(remove(id, aPassed)))
      }
      for (const id of ids) assert.isTrue(yield* isPresent(personId, id))
    })
  )

  rule(
    "when a person removes a sample workspace with its content, other workspaces stay, and the person's own log gets one event",
    Effect.gen(function* () {
      const { list, remove } = yield* SampleStore
      const personId = yield* aPerson
      const [first, second] = [yield* aSampleOf(personId), yield* aSampleOf(personId)]
      const reach = aReach({ personId, spaces: [first, second] })
      const call = withReach(reach)
      for (const spaceId of [first, second]) yield* addEntity(reach, anEntity({ spaceId }))
      assert.deepStrictEqual(yield* call(list), [
        { id: first, isOwn: true },
        { id: second, isOwn: true }
      ])
      assert.isTrue(yield* call(remove(first, aPassed)))
      assert.isFalse(yield* call(remove(first, aPassed)))
      assert.deepStrictEqual(yield* call(list), [{ id: second, isOwn: true }])
      assert.isFalse(yield* isPresent(personId, first))
      assert.isTrue(yield* isPresent(personId, second))
      const removals = (yield* eventsIn(personId, personId)).filter(({ type }) => type === "workspace.delete")
      assert.deepStrictEqual(
        removals.map(({ data, subjectId }) => ({ data, subjectId })),
        [{ data: { workspaceId: first }, subjectId: first }]
      )
      assert.lengthOf(
        (yield* eventsIn(second, personId)).filter(({ type }) => type.startsWith("entity.")),
        1
      )
    })
  )
}
