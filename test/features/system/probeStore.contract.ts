/**
 * What `ProbeStore` guarantees on each engine. It deletes the old rows that probes (test calls) wrote, and everything
 * that belongs to these rows. It deletes nothing else.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { Document } from "../../../src/features/documents/Document.ts"
import { RecordHistory } from "../../../src/features/records/RecordHistory.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { ProbeStore } from "../../../src/features/system/ProbeStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { addAnyRecord } from "../../support/anyRecord.ts"
import { aMember, eventsIn } from "../../support/people.ts"
import { type Stores, withReach } from "../../support/stores.ts"
import { addEntity, anEntity, getEntity } from "../entities/entityCalls.ts"
import { addRecord, getRecord } from "../records/recordCalls.ts"

const longAgo = DateTime.unsafeMake("1970-01-01T00:00:00.000Z")
const afterAll = DateTime.unsafeMake("9999-01-01T00:00:00.000Z")

const aText = { title: "t", content: "c", type: "text", entityId: null, projectId: null } as const

export const probeStoreContract = (stores: Layer.Layer<Stores>): void => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "the probe store deletes the rows that a key with the scope `probe` wrote before a given time, with all their versions, but no rows of other callers and no events",
    Effect.gen(function* () {
      const { forgetBefore } = yield* ProbeStore
      const records = yield* Records
      const history = yield* RecordHistory
      const { personId, reach, spaceId } = yield* aMember()
      const probing = { ...reach, origin: { ...reach.origin, isProbe: true } }
      const written = (by: typeof reach) =>
        Effect.gen(function* () {
          const properties = { email: `${uuidv7()}@example.com`, about: uuidv7() }
          const entity = yield* addEntity(by, anEntity({ spaceId, properties, projectId: uuidv7() }))
          const track = yield* addRecord(by, { spaceId })
          const document = yield* addAnyRecord(by, Document, spaceId, aText)
          return { entityId: entity.id, trackId: track.id, documentId: document.id }
        })
      const found = (
        by: typeof reach,
        { documentId, entityId, trackId }: Effect.Effect.Success<ReturnType<typeof written>>
      ) =>
        Effect.gen(function* () {
          const document = yield* Effect.option(withReach(by)(records.get(Document, documentId)))
          const revisions = yield* withReach(by)(history.list(Document, documentId, { limit: 5 }))
          return {
            entity: (yield* getEntity(by, entityId)) !== null,
            track: (yield* getRecord(by, trackId)) !== null,
            document: document._tag === "Some",
            revisions: revisions.items.length
          }
        })
      const ofProbe = yield* written(probing)
      const ofPerson = yield* written(reach)
      const all = { entity: true, track: true, document: true, revisions: 1 }
      const events = yield* eventsIn(spaceId, personId)
      yield* forgetBefore(longAgo)
      assert.deepStrictEqual(yield* found(probing, ofProbe), all)
      yield* forgetBefore(afterAll)
      assert.deepStrictEqual(yield* found(probing, ofProbe), {
        entity: false,
        track: false,
        document: false,
        revisions: 0
      })
      assert.deepStrictEqual(yield* found(reach, ofPerson), all)
      assert.deepStrictEqual(yield* eventsIn(spaceId, personId), events)
    })
  )
}
