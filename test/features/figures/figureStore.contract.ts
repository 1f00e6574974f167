/**
 * What the store of figures (the counts for statistics) guarantees on each engine: it counts only what the caller may
 * read.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { AttachmentStore } from "../../../src/features/attachments/AttachmentStore.ts"
import { DocumentHead } from "../../../src/features/documents/Document.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { FigureStore } from "../../../src/features/figures/FigureStore.ts"
import { KnowledgeStore } from "../../../src/features/knowledge/KnowledgeStore.ts"
import { MemoryStore } from "../../../src/features/memory/MemoryStore.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, aWorkspaceOf } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { addEntity, anEntity } from "../entities/entityCalls.ts"
import { aFactRow, aFactWrite } from "../memory/factRows.ts"

type Figures = typeof FigureStore.Service
const event = { type: "test.happened", data: {} }

/**
 * Returns everything that the store counts for a caller. In place of a time, the result says only whether the store has
 * a time.
 */
const counted = (reach: ReachShape) =>
  Effect.flatMap(FigureStore, ({ attachments, facts, firstDocument, knowledge }: Figures) =>
    withReach(reach)(Effect.all({ attachments: attachments(2), facts, firstDocument, knowledge }))
  ).pipe(
    Effect.map(({ attachments: { bytes, count, firstAt }, facts, firstDocument, knowledge }) => ({
      attachments: [count, bytes, firstAt !== null],
      hasDocument: firstDocument !== null,
      facts,
      knowledge
    }))
  )
const recent = (reach: ReachShape, most = 100) =>
  Effect.flatMap(FigureStore, (store) => withReach(reach)(store.recent(5, most)))

const nothing = { attachments: [0, 0, false], hasDocument: false, facts: 0, knowledge: 0 }

const aFile = (reach: ReachShape, entityId: string, sizeBytes: number) =>
  Effect.gen(function* () {
    const file = {
      id: uuidv7(),
      entityId,
      fileName: "harbour.png",
      mimeType: "image/png",
      sizeBytes,
      sha256: "0".repeat(64),
      fileEntityId: null,
      bytes: Buffer.from([0, 1, 2, 255])
    }
    const { add } = yield* AttachmentStore
    yield* withReach(reach)(add(file, { ...event, subjectId: entityId }, aPassed))
  })

/** Stores one record of every type that the store counts, in a space of the caller. */
const fill = (reach: ReachShape, spaceId: string) =>
  Effect.gen(function* () {
    const { id: entityId } = yield* addEntity(reach, anEntity({ spaceId, kind: "note" }))
    const within = withReach(reach)
    yield* aFile(reach, entityId, 4)
    yield* Effect.flatMap(Records, ({ add }) =>
      within(
        add(
          DocumentHead,
          { id: uuidv7(), spaceId, fields: { title: "Plan", type: "text", entityId: null, projectId: null } },
          event,
          aPassed
        )
      )
    )
    const entry = { value: 1, namespace: null, slug: null, author: null }
    const knowledge = yield* KnowledgeStore
    yield* within(knowledge.add({ id: uuidv7(), spaceId, key: "kept", status: "active", ...entry }, event, aPassed))
    yield* within(knowledge.add({ id: uuidv7(), spaceId, key: "gone", status: "archived", ...entry }, event, aPassed))
    yield* Effect.flatMap(MemoryStore, ({ write }) => within(write("create", aFactWrite([aFactRow()]), event, aPassed)))
  })

export const figureStoreContract = (stores: Layer.Layer<Stores>): void => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "the statistics of a caller count only records that the caller may read, and records of other people do not change the statistics",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const other = yield* aMember()
      const second = yield* aWorkspaceOf(personId)
      yield* fill(other.reach, other.spaceId)
      assert.deepStrictEqual(yield* counted(reach), nothing)
      yield* fill(reach, spaceId)
      const all = { attachments: [1, 4, true], hasDocument: true, facts: 1, knowledge: 1 }
      assert.deepStrictEqual(yield* counted(reach), all)
      assert.deepStrictEqual(yield* counted(aReach()), nothing)
      const spaces = [spaceId, second]
      assert.deepStrictEqual(yield* counted(aReach({ personId, spaces, grant: { workspaceIds: [second] } })), nothing)
      assert.deepStrictEqual(yield* counted(aReach({ personId, spaces, kinds: ["task"] })), nothing)
      const documents = aReach({ personId, spaces, grant: { permissions: ["document.read", "memory.read"] } })
      assert.deepStrictEqual(yield* counted(documents), { ...nothing, hasDocument: true, facts: 1 })
    })
  )

  rule(
    "the file statistics add up the sizes of a limited number of the newest files, but show the time of the oldest of all files",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const store = yield* FigureStore
      for (const [at, space] of [spaceId, personId, spaceId].entries()) {
        const { id } = yield* addEntity(reach, anEntity({ spaceId: space, kind: "note" }))
        yield* aFile(reach, id, 10 ** at)
      }
      const files = (most: number) => withReach(reach)(store.attachments(most))
      const all = yield* files(10)
      assert.deepStrictEqual([all.count, all.bytes], [3, 111])
      assert.deepStrictEqual(yield* files(2), { ...all, count: 2, bytes: 110 })
      assert.deepStrictEqual(yield* files(1), { ...all, count: 1, bytes: 100 })
    })
  )

  rule(
    "the statistics count only the caller's own events of the last minutes, and count refusals and failures as errors",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const before = yield* recent(reach)
      const log = yield* EventLog
      for (const type of ["pump.started", "access.refused", "automation.failed", "failed.pump"]) {
        yield* withReach(reach)(log.append(spaceId, { type, data: {} }, aPassed))
      }
      const added = yield* recent(reach)
      assert.deepStrictEqual(
        { events: added.events - before.events, errors: added.errors - before.errors },
        { events: 4, errors: 2 }
      )
      assert.deepStrictEqual(yield* recent(reach, 3), { events: 3, errors: 2 })
      const colleague = aReach({ personId: uuidv7(), spaces: [spaceId] })
      assert.deepStrictEqual(yield* recent(colleague), { events: 0, errors: 0 })
      assert.deepStrictEqual(yield* recent(aReach({ personId })), { events: 0, errors: 0 })
    })
  )
}
