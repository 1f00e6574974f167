/**
 * The rules for every store that records which entities are in which projects. The tests run on memory, PGlite and
 * PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { Project } from "../../../src/features/projects/Project.ts"
import { ProjectMemberStore } from "../../../src/features/projects/ProjectMemberStore.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, aWorkspaceOf, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"
import { addEntity, anEntity, removeEntity } from "../entities/entityCalls.ts"

const aProject = (reach: ReachShape, spaceId: string) =>
  Effect.gen(function* () {
    const id = uuidv7()
    const fields = { name: "Quay", description: null, status: "active" as const, settings: {}, metadata: {} }
    const event = { type: "project.create", data: {} }
    yield* withReach(reach)((yield* Records).add(Project, { id, spaceId, fields }, event, aPassed))
    return id
  })

const eventOf = (projectId: string, type: string) => ({ type, subjectId: projectId, data: {} })

const filed = (reach: ReachShape, entityId: string, projectId: string) =>
  Effect.flatMap(ProjectMemberStore, ({ file }) =>
    withReach(reach)(file({ id: uuidv7(), entityId, projectId }, eventOf(projectId, "project.file"), aPassed))
  )
const unfiled = (reach: ReachShape, entityId: string, projectId: string) =>
  Effect.flatMap(ProjectMemberStore, ({ unfile }) =>
    withReach(reach)(unfile({ entityId, projectId }, eventOf(projectId, "project.unfile"), aPassed))
  )
const inProject = (
  reach: ReachShape,
  entityIds: ReadonlyArray<string>,
  projectId: string,
  action: "read" | "delete" = "read"
) =>
  Effect.flatMap(ProjectMemberStore, ({ find }) => withReach(reach)(find(entityIds, projectId, action))).pipe(
    Effect.map((found) => found.map(({ entityId }) => entityId))
  )
const eventTypes = (spaceId: string, personId: string) =>
  Effect.map(eventsIn(spaceId, personId), (events) =>
    events.map(({ type }) => type).filter((type) => type.endsWith("file"))
  )

export const projectMemberStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a caller who cannot access an entity can neither put it in a project, remove it from a project nor see it in a project",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const other = yield* aWorkspaceOf(personId)
      const entity = yield* addEntity(reach, anEntity({ spaceId, kind: "note" }))
      const further = yield* addEntity(reach, anEntity({ spaceId, kind: "note" }))
      const projectId = yield* aProject(reach, spaceId)
      assert.isNotNull(yield* filed(reach, entity.id, projectId))
      for (const [caller, outside] of [
        ["a stranger", aReach()],
        ["another workspace", aReach({ personId, spaces: [other] })],
        ["a grant elsewhere", aReach({ personId, spaces: [spaceId, other], grant: { workspaceIds: [other] } })],
        ["another kind", aReach({ personId, spaces: [spaceId], grant: { permissions: ["relation", "entity.task"] } })],
        ["no relations", aReach({ personId, spaces: [spaceId], kinds: ["note"] })]
      ] as const) {
        assert.isNull(yield* filed(outside, further.id, projectId), caller)
        assert.isNull(yield* unfiled(outside, entity.id, projectId), caller)
        assert.deepStrictEqual(yield* inProject(outside, [entity.id, further.id], projectId), [], caller)
      }
      const viewer = aReach({ personId, spaces: [spaceId], role: "viewer" })
      assert.isNull(yield* filed(viewer, further.id, projectId))
      assert.isNull(yield* unfiled(viewer, entity.id, projectId))
      assert.deepStrictEqual(yield* inProject(viewer, [entity.id, further.id], projectId), [entity.id])
      assert.deepStrictEqual(yield* inProject(viewer, [entity.id], projectId, "delete"), [])
      assert.deepStrictEqual(yield* inProject(reach, [entity.id, further.id], projectId), [entity.id])
      assert.deepStrictEqual(yield* eventTypes(spaceId, personId), ["project.file"])
    })
  )

  rule(
    "when a caller puts an entity in a project or removes it, the space of the entity gets one event, and a repeated call adds no event",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const { id } = yield* addEntity(reach, anEntity({ spaceId }))
      const [one, two] = [yield* aProject(reach, spaceId), yield* aProject(reach, spaceId)]
      const made = yield* filed(reach, id, one)
      assert.deepInclude(made ?? {}, { spaceId, entityId: id, projectId: one, userId: personId })
      assert.isNull(yield* filed(reach, id, one))
      assert.isNotNull(yield* filed(reach, id, two))
      assert.isNull(yield* filed(reach, uuidv7(), one))
      assert.deepInclude((yield* unfiled(reach, id, one)) ?? {}, { id: made?.id, entityId: id, projectId: one })
      assert.isNull(yield* unfiled(reach, id, one))
      assert.deepStrictEqual(yield* inProject(reach, [id], one), [])
      assert.deepStrictEqual(yield* inProject(reach, [id], two), [id])
      assert.deepStrictEqual(yield* eventTypes(spaceId, personId), ["project.file", "project.file", "project.unfile"])
    })
  )

  rule(
    "an archived entity belongs to no project, and nobody can put it in a project or remove it from a project",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const [entity, archived] = [
        yield* addEntity(reach, anEntity({ spaceId })),
        yield* addEntity(reach, anEntity({ spaceId }))
      ]
      const projectId = yield* aProject(reach, spaceId)
      for (const { id } of [entity, archived]) yield* filed(reach, id, projectId)
      yield* removeEntity(reach, archived.id)
      assert.deepStrictEqual(yield* inProject(reach, [entity.id, archived.id], projectId), [entity.id])
      assert.isNull(yield* filed(reach, archived.id, yield* aProject(reach, spaceId)))
      assert.isNull(yield* unfiled(reach, archived.id, projectId))
      assert.deepStrictEqual(yield* eventTypes(spaceId, personId), ["project.file", "project.file"])
    })
  )

  rule(
    "a removed project contains no entity and takes none, and contains its former entities again after it is restored",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const projectId = yield* aProject(reach, spaceId)
      const { id } = yield* addEntity(reach, anEntity({ spaceId }))
      const further = yield* addEntity(reach, anEntity({ spaceId }))
      yield* filed(reach, id, projectId)
      const records = yield* Records
      const event = eventOf(projectId, "project.noted")
      yield* withReach(reach)(records.remove(Project, projectId, null, event, aPassed))
      assert.deepStrictEqual(yield* inProject(reach, [id], projectId), [])
      assert.isNull(yield* unfiled(reach, id, projectId))
      assert.isNull(yield* filed(reach, further.id, projectId))
      const created = yield* addEntity(reach, anEntity({ spaceId, projectId }))
      yield* withReach(reach)(records.restore(Project, projectId, event, aPassed))
      assert.deepStrictEqual(yield* inProject(reach, [id, further.id, created.id], projectId), [id])
    })
  )
}
