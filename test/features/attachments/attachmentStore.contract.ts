/** What every store of attachments must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { AttachmentStore } from "../../../src/features/attachments/AttachmentStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, aWorkspaceOf, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"
import { addEntity, anEntity, removeEntity } from "../entities/entityCalls.ts"

const bytes = Buffer.from([0, 1, 2, 255])

const aPicture = (entityId: string) => ({
  id: uuidv7(),
  entityId,
  fileName: "harbour.png",
  mimeType: "image/png",
  sizeBytes: bytes.length,
  sha256: "0".repeat(64),
  fileEntityId: null,
  bytes
})

/** Adds an attachment. Returns the attachment, or the tag of the refusal. */
const attached = (reach: ReachShape, entityId: string) =>
  Effect.flatMap(AttachmentStore, ({ add }) =>
    withReach(reach)(add(aPicture(entityId), { type: "attachment.create", subjectId: entityId, data: {} }, aPassed))
  ).pipe(Effect.catchAll(({ _tag }) => Effect.succeed(_tag)))
const listed = (reach: ReachShape, entityId: string) =>
  Effect.flatMap(AttachmentStore, ({ list }) => withReach(reach)(list(entityId)))
const found = (reach: ReachShape, entityId: string, id: string) =>
  Effect.flatMap(AttachmentStore, ({ get }) => withReach(reach)(get(entityId, id)))
const idOf = (made: Effect.Effect.Success<ReturnType<typeof attached>>) =>
  typeof made === "string" ? assert.fail(made) : made.id

export const attachmentStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a caller can neither list, read nor add an attachment of an entity that the caller cannot access",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const other = yield* aWorkspaceOf(personId)
      const { id: entityId } = yield* addEntity(reach, anEntity({ spaceId, kind: "note" }))
      const id = idOf(yield* attached(reach, entityId))
      for (const [caller, outside] of [
        ["a stranger", aReach()],
        ["another workspace", aReach({ personId, spaces: [other] })],
        ["a grant elsewhere", aReach({ personId, spaces: [spaceId, other], grant: { workspaceIds: [other] } })],
        ["another kind", aReach({ personId, spaces: [spaceId], kinds: ["task"] })],
        ["another entity", aReach({ personId, spaces: [spaceId], grant: { entityIds: [uuidv7()] } })]
      ] as const) {
        assert.deepStrictEqual(yield* listed(outside, entityId), [], caller)
        assert.isUndefined(yield* found(outside, entityId, id), caller)
        assert.strictEqual(yield* attached(outside, entityId), "EntityNotFound", caller)
      }
      const readers = [
        aReach({ personId, spaces: [spaceId], role: "viewer" }),
        aReach({ personId, spaces: [spaceId], grant: { permissions: ["entity.note.read"] } })
      ]
      for (const reader of readers) {
        assert.strictEqual(yield* attached(reader, entityId), "EntityNotFound")
        assert.strictEqual((yield* found(reader, entityId, id))?.attachment.id, id)
      }
      assert.lengthOf(yield* listed(reach, entityId), 1)
      const events = (yield* eventsIn(spaceId, personId)).filter(({ type }) => type === "attachment.create")
      assert.lengthOf(events, 1)
    })
  )

  rule(
    "the bytes of an attachment can be read only with the id of its entity, and a listing shows attachments without their bytes, latest first",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const [one, two] = [
        yield* addEntity(reach, anEntity({ spaceId })),
        yield* addEntity(reach, anEntity({ spaceId }))
      ]
      const ids = [idOf(yield* attached(reach, one.id)), idOf(yield* attached(reach, one.id))]
      const kept = yield* found(reach, one.id, ids[0] ?? "")
      assert.deepInclude(kept?.attachment, {
        id: ids[0],
        entityId: one.id,
        userId: personId,
        fileName: "harbour.png",
        mimeType: "image/png",
        sizeBytes: 4,
        sha256: "0".repeat(64),
        fileEntityId: null
      })
      assert.deepStrictEqual(kept?.bytes, bytes)
      const all = yield* listed(reach, one.id)
      assert.deepStrictEqual(
        all.map(({ id }) => id),
        ids.toReversed()
      )
      for (const each of all) assert.notProperty(each, "bytes")
      assert.isUndefined(yield* found(reach, two.id, ids[0] ?? ""))
      assert.isUndefined(yield* found(reach, one.id, uuidv7()))
      assert.deepStrictEqual(yield* listed(reach, two.id), [])
    })
  )

  rule(
    "a caller can neither read the attachments of an archived entity nor add an attachment to this entity",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const { id: entityId } = yield* addEntity(reach, anEntity({ spaceId }))
      const id = idOf(yield* attached(reach, entityId))
      yield* removeEntity(reach, entityId)
      assert.deepStrictEqual(yield* listed(reach, entityId), [])
      assert.isUndefined(yield* found(reach, entityId, id))
      assert.strictEqual(yield* attached(reach, entityId), "EntityNotFound")
    })
  )
}
