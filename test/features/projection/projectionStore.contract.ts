/** What every store of public data must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { Facet } from "../../../src/features/facets/Facet.ts"
import type { ProjectionQuery } from "../../../src/features/projection/Projection.ts"
import { ProjectionStore } from "../../../src/features/projection/ProjectionStore.ts"
import { WorkspaceChangeStore } from "../../../src/features/workspaces/WorkspaceChangeStore.ts"
import type { PublicProjection } from "../../../src/features/workspaces/WorkspaceSettings.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { addAnyRecord, anyEvent } from "../../support/anyRecord.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { addEntity, anEntity, removeEntity } from "../entities/entityCalls.ts"

const read = (reach: ReachShape, workspace: string, more: Partial<ProjectionQuery> = {}) =>
  Effect.flatMap(ProjectionStore, (store) => withReach(reach)(store.read({ workspace, limit: 10, ...more })))
const ids = (...asked: Parameters<typeof read>) =>
  Effect.map(read(...asked), (found) => found?.entities.map(({ id }) => id))

export const publish = (reach: ReachShape, spaceId: string, publicProjection: PublicProjection | null) =>
  Effect.flatMap(WorkspaceChangeStore, ({ change }) =>
    withReach(reach)(change(spaceId, { publicProjection }, null, anyEvent(spaceId, "update"), aPassed))
  )

const config: PublicProjection = { enabled: true, roles: ["task", "supplier"], fields: ["title", "price"] }

/**
 * A workspace that publishes tasks and suppliers. It has a task, a company with the role `supplier`, and a note, which
 * is not public.
 */
const aPublicWorkspace = Effect.gen(function* () {
  const { personId, reach, spaceId } = yield* aMember()
  yield* publish(reach, spaceId, config)
  const properties = { price: 7, secret: "marzipan" }
  const task = yield* addEntity(reach, anEntity({ spaceId, kind: "task", title: "Paint", properties }))
  const company = yield* addEntity(reach, anEntity({ spaceId, kind: "company", title: "Ropes" }))
  yield* addAnyRecord(reach, Facet, spaceId, { entityId: company.id, slug: "supplier", properties: {} })
  yield* addEntity(reach, anEntity({ spaceId, kind: "note", title: "Paint of ours" }))
  return { personId, reach, spaceId, task: task.id, company: company.id }
})

export const projectionStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a public request gets no data of a missing workspace, of a workspace that it cannot read or that publishes nothing, or of a personal space",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aPublicWorkspace
      assert.isNull(yield* read(reach, uuidv7()))
      assert.isNull(yield* read(reach, personId))
      assert.isNull(yield* read(aReach(), spaceId))
      yield* publish(reach, spaceId, { ...config, enabled: false })
      assert.isNull(yield* read(reach, spaceId))
      yield* publish(reach, spaceId, null)
      assert.isNull(yield* read(reach, spaceId))
    })
  )

  rule(
    "the roles of a public entity are sorted letter by letter, without the rules of a language",
    Effect.gen(function* () {
      const { company, reach, spaceId } = yield* aPublicWorkspace
      const roles = ["a-b", "a1", "a_b", "ab"]
      for (const slug of roles.toReversed()) {
        yield* addAnyRecord(reach, Facet, spaceId, { entityId: company, slug, properties: {} })
      }
      const found = yield* read(reach, spaceId)
      assert.deepStrictEqual(found?.entities.find(({ id }) => id === company)?.roles, ["company", ...roles, "supplier"])
    })
  )

  rule(
    "the public data of a workspace contains its existing entities with public kinds and roles, and a filter by a role that is not public is ignored",
    Effect.gen(function* () {
      const { company, reach, spaceId, task } = yield* aPublicWorkspace
      const found = yield* read(reach, spaceId)
      assert.deepStrictEqual(found?.config, config)
      assert.deepStrictEqual(yield* ids(reach, spaceId), [company, task])
      assert.deepStrictEqual(
        found?.entities.map(({ roles }) => roles),
        [["company", "supplier"], ["task"]]
      )
      assert.deepStrictEqual(yield* ids(reach, spaceId, { role: "supplier" }), [company])
      assert.deepStrictEqual(yield* ids(reach, spaceId, { role: "note" }), [company, task])
      assert.deepStrictEqual(yield* ids(reach, spaceId, { limit: 1 }), [company])
      yield* removeEntity(reach, company)
      assert.deepStrictEqual(yield* ids(reach, spaceId), [task])
    })
  )

  rule(
    "a search of the public data of a workspace looks only at the public fields",
    Effect.gen(function* () {
      const { reach, spaceId, task } = yield* aPublicWorkspace
      assert.deepStrictEqual(yield* ids(reach, spaceId, { q: "marzipan" }), [])
      assert.deepStrictEqual(yield* ids(reach, spaceId, { q: "PAIN" }), [task])
      assert.deepStrictEqual(yield* ids(reach, spaceId, { q: "7" }), [task])
      yield* publish(reach, spaceId, { ...config, fields: ["price"] })
      assert.deepStrictEqual(yield* ids(reach, spaceId, { q: "paint" }), [])
    })
  )
}
