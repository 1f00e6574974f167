/** How every entity store counts its entities. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { countedMax } from "../../../src/doors/Page.ts"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { EntityStore, type CountScope } from "../../../src/features/entities/EntityStore.ts"
import { ProjectMemberStore } from "../../../src/features/projects/ProjectMemberStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, aWorkspaceOf } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { Engine, withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"
import { addEntity, anEntity, removeEntity } from "./entityCalls.ts"

/** Returns the counts of entities, by space id and kind. */
const counted = (reach: ReachShape, scope: CountScope) =>
  Effect.flatMap(EntityStore, ({ countByKind }) => withReach(reach)(countByKind(scope))).pipe(
    Effect.map((found) => Object.fromEntries(found.map(({ count, kind, spaceId }) => [`${spaceId} ${kind}`, count])))
  )

export const entityTallyContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "the entity count includes only entities that the caller may read in the requested workspace or project, and no archived entities",
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const other = yield* aWorkspaceOf(personId)
      const spaces = [spaceId, other]
      const reach = aReach({ personId, spaces })
      const [note, task, elsewhere, archived] = [
        yield* addEntity(reach, anEntity({ spaceId, kind: "note" })),
        yield* addEntity(reach, anEntity({ spaceId, kind: "task" })),
        yield* addEntity(reach, anEntity({ spaceId: other, kind: "note" })),
        yield* addEntity(reach, anEntity({ spaceId, kind: "note" }))
      ]
      yield* addEntity(reach, anEntity({ spaceId, kind: "note" }))
      const projectId = uuidv7()
      const { file } = yield* ProjectMemberStore
      for (const { id } of [note, task, elsewhere, archived]) {
        const event = { type: "project.file", subjectId: projectId, data: {} }
        yield* withReach(reach)(file({ id: uuidv7(), entityId: id, projectId }, event, aPassed))
      }
      yield* removeEntity(reach, archived.id)
      const workspace: CountScope = { spaces: [spaceId] }
      const project: CountScope = { spaces: null, projectId }
      assert.deepStrictEqual(yield* counted(reach, workspace), { [`${spaceId} note`]: 2, [`${spaceId} task`]: 1 })
      assert.deepStrictEqual(yield* counted(reach, project), {
        [`${spaceId} note`]: 1,
        [`${spaceId} task`]: 1,
        [`${other} note`]: 1
      })
      const tasks = aReach({ personId, spaces, kinds: ["task"] })
      for (const scope of [workspace, project]) {
        assert.deepStrictEqual(yield* counted(tasks, scope), { [`${spaceId} task`]: 1 })
        assert.deepStrictEqual(yield* counted(aReach(), scope), {})
      }
      const narrow = aReach({ personId, spaces, grant: { workspaceIds: [other] } })
      assert.deepStrictEqual(yield* counted(narrow, workspace), {})
      assert.deepStrictEqual(yield* counted(narrow, project), { [`${other} note`]: 1 })
      assert.deepStrictEqual(yield* counted(reach, { spaces: null, projectId: uuidv7() }), {})
    })
  )

  rule(
    "the counts of kinds are sorted letter by letter, without the rules of a language, for every scope and grant",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const projectId = uuidv7()
      const { fillProject } = yield* Engine
      const kinds = ["a-b", "a1", "a_b", "ab"]
      yield* fillProject({ spaceId, personId, projectId, kinds: Object.fromEntries(kinds.map((kind) => [kind, 1])) })
      const mine = { personId, spaces: [spaceId] }
      const all = { spaces: null }
      for (const [caller, scope] of [
        [reach, all],
        [reach, { ...all, projectId }],
        [aReach({ ...mine, kinds: kinds.toReversed() }), all],
        [aReach({ ...mine, grant: { projectIds: [projectId] } }), all]
      ] as const) {
        const { countByKind } = yield* EntityStore
        const found = yield* withReach(caller)(countByKind(scope))
        assert.deepStrictEqual(
          found.map(({ kind }) => kind),
          kinds
        )
      }
    })
  )

  rule(
    "in a large project, the pod counts entities only up to a fixed maximum, which applies to all kinds of entity together",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const projectId = uuidv7()
      const { fillProject } = yield* Engine
      yield* fillProject({ spaceId, personId, projectId, kinds: { note: countedMax - 2, task: 5 } })
      assert.deepStrictEqual(yield* counted(reach, { spaces: [spaceId] }), {
        [`${spaceId} note`]: countedMax - 2,
        [`${spaceId} task`]: 5
      })
      const total = (found: Readonly<Record<string, number>>) => Object.values(found).reduce((sum, n) => sum + n, 0)
      assert.strictEqual(total(yield* counted(reach, { spaces: null, projectId })), countedMax)
      const narrow = aReach({ personId, spaces: [spaceId], grant: { projectIds: [projectId] } })
      assert.strictEqual(total(yield* counted(narrow, { spaces: null })), countedMax)
      assert.strictEqual(total(yield* counted(narrow, { spaces: null, projectId })), countedMax)
    })
  )
}
