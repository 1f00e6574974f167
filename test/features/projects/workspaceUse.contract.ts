/**
 * The rules for every store that counts the entities of a workspace and lists the projects that use the workspace. The
 * tests run on memory, PGlite and PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { EntityStore } from "../../../src/features/entities/EntityStore.ts"
import { Project } from "../../../src/features/projects/Project.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { ProjectMemberStore } from "../../../src/features/projects/ProjectMemberStore.ts"
import { WorkspaceUse } from "../../../src/features/workspaces/WorkspaceUse.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPerson, aWorkspaceOf } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

const note = { kind: "note", title: "", preview: null, description: null, properties: {}, projectId: undefined }

const anEntity = (reach: ReachShape, spaceId: string) =>
  Effect.gen(function* () {
    const id = uuidv7()
    const event = { type: "entity.note.create", subjectId: id, data: {} }
    yield* withReach(reach)((yield* EntityStore).add({ id, spaceId, ...note }, event, aPassed))
    return id
  })

const aProject = (reach: ReachShape, spaceId: string) =>
  Effect.gen(function* () {
    const id = uuidv7()
    const fields = { name: "Quay", description: null, status: "active" as const, settings: {}, metadata: {} }
    yield* withReach(reach)(
      (yield* Records).add(Project, { id, spaceId, fields }, { type: "project.create", data: {} }, aPassed)
    )
    return id
  })

const filed = (reach: ReachShape, entityId: string, projectId: string) =>
  Effect.flatMap(ProjectMemberStore, ({ file }) =>
    withReach(reach)(
      file({ id: uuidv7(), entityId, projectId }, { type: "project.update", subjectId: projectId, data: {} }, aPassed)
    )
  )

const useOfMax = (reach: ReachShape, projectsMax: number, ...spaceIds: ReadonlyArray<string>) =>
  Effect.flatMap(WorkspaceUse, ({ of }) => withReach(reach)(of(spaceIds, projectsMax)))

const useOf = (reach: ReachShape, ...spaceIds: ReadonlyArray<string>) => useOfMax(reach, 10, ...spaceIds)

export const workspaceUseContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a caller gets no data about a space that the caller cannot access, even if the request contains the id of the space",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const spaceId = yield* aWorkspaceOf(personId)
      const reach = aReach({ personId, spaces: [spaceId] })
      yield* anEntity(reach, spaceId)
      const stranger = yield* aPerson
      assert.deepStrictEqual([...(yield* useOf(aReach({ personId: stranger }), spaceId, personId))], [])
      const confined = aReach({ personId, spaces: [spaceId], grant: { workspaceIds: [spaceId] } })
      assert.deepStrictEqual([...(yield* useOf(confined, personId, spaceId)).keys()], [spaceId])
    })
  )

  rule(
    "a project is listed only for callers who can access the project, and not for callers who can only read the records in it",
    Effect.gen(function* () {
      const [one, other] = [yield* aPerson, yield* aPerson]
      const spaceId = yield* aWorkspaceOf(one)
      const reach = aReach({ personId: one, spaces: [spaceId] })
      const project = yield* aProject(reach, one)
      yield* filed(reach, yield* anEntity(reach, spaceId), project)
      assert.deepStrictEqual((yield* useOf(reach, spaceId)).get(spaceId)?.usedByProjectIds, [project])
      const colleague = aReach({ personId: other, spaces: [spaceId] })
      assert.deepStrictEqual((yield* useOf(colleague, spaceId)).get(spaceId)?.usedByProjectIds, [])
    })
  )

  rule(
    "the project store lists the projects that use a workspace in the order of their ids, up to a maximum, and says whether there are more",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const spaceId = yield* aWorkspaceOf(personId)
      const reach = aReach({ personId, spaces: [spaceId] })
      const own = yield* Effect.forEach([1, 2], () => aProject(reach, spaceId))
      const elsewhere = yield* Effect.forEach([1, 2, 3], () => aProject(reach, personId))
      yield* aProject(reach, personId) // This project contains no entity of the workspace.
      for (const project of elsewhere) yield* filed(reach, yield* anEntity(reach, spaceId), project)
      const all = [...own, ...elsewhere].toSorted()
      for (const most of [1, 3, 4]) {
        const used = (yield* useOfMax(reach, most, spaceId)).get(spaceId)
        assert.deepStrictEqual([used?.usedByProjectIds, used?.isUsedByMore], [all.slice(0, most), true])
      }
      const used = (yield* useOfMax(reach, 5, spaceId)).get(spaceId)
      assert.deepStrictEqual([used?.usedByProjectIds, used?.isUsedByMore], [all, undefined])
    })
  )

  rule(
    "the entity count of a space includes only the space's own entities that are not deleted",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const spaceId = yield* aWorkspaceOf(personId)
      const reach = aReach({ personId, spaces: [spaceId] })
      const counts = Effect.map(useOf(reach, personId, spaceId), (used) =>
        [personId, spaceId].map((id) => used.get(id)?.entityCount)
      )
      const ids = yield* Effect.forEach([personId, personId, spaceId], (space) => anEntity(reach, space))
      const project = yield* aProject(reach, spaceId)
      assert.deepStrictEqual(yield* counts, [2, 1])
      yield* withReach(reach)(
        (yield* EntityStore).remove(ids[0], null, { type: "entity.note.delete", data: {} }, aPassed)
      )
      assert.deepStrictEqual(yield* counts, [1, 1])
      assert.deepStrictEqual((yield* useOf(reach, spaceId)).get(spaceId)?.usedByProjectIds, [project])
    })
  )
}
