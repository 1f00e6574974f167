/**
 * The rules for every store that counts, for each property, how many entities have a value. The tests run on memory,
 * PGlite and PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { DiscoveryStore, sampleMax } from "../../../src/features/discovery/DiscoveryStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, aWorkspaceOf } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { addEntity, anEntity, removeEntity } from "../entities/entityCalls.ts"

const filled = (reach: ReachShape, kinds: ReadonlyArray<string>, spaces: ReadonlyArray<string> | null = null) =>
  Effect.flatMap(DiscoveryStore, ({ fills }) => withReach(reach)(fills({ kinds, spaces }))).pipe(
    Effect.map((fills) => Object.fromEntries(fills))
  )

export const discoveryStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "the discovery of profiles counts properties only of entities that the caller may read",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const other = yield* aWorkspaceOf(personId)
      const note = yield* addEntity(reach, anEntity({ spaceId, properties: { mood: "calm" } }))
      const spaces = [spaceId, other]
      for (const blind of [
        aReach(),
        aReach({ personId, spaces, kinds: ["task"] }),
        aReach({ personId, spaces, grant: { workspaceIds: [other] } }),
        aReach({ personId, spaces, grant: { projectIds: [uuidv7()] } }),
        aReach({ personId, spaces, grant: { entityIds: [uuidv7()] } })
      ]) {
        assert.deepStrictEqual(yield* filled(blind, ["note"]), {})
        assert.deepStrictEqual(yield* filled(blind, ["note"], [spaceId]), {})
      }
      const narrow = aReach({ personId, spaces, grant: { entityIds: [note.id] } })
      assert.deepStrictEqual(yield* filled(narrow, ["note"]), { note: { sampleSize: 1, filled: { mood: 1 } } })
      assert.deepStrictEqual(yield* filled(reach, ["note"], [other]), {})
    })
  )

  rule(
    "the discovery store counts neither empty property values nor archived entities, and leaves out profiles without entities",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      yield* addEntity(reach, anEntity({ spaceId, properties: { a: 0, b: false, c: "", d: [], e: {}, f: null } }))
      yield* addEntity(reach, anEntity({ spaceId, properties: { a: 1, d: ["x"] } }))
      yield* addEntity(reach, anEntity({ spaceId, kind: "task", properties: { a: 1 } }))
      const gone = yield* addEntity(reach, anEntity({ spaceId, properties: { a: 1, z: 1 } }))
      yield* removeEntity(reach, gone.id)
      assert.deepStrictEqual(yield* filled(reach, ["note", "company"]), {
        note: { sampleSize: 2, filled: { a: 2, b: 1, d: 1 } }
      })
      assert.deepStrictEqual(yield* filled(reach, []), {})
    })
  )

  rule(
    "the discovery store counts property values only in a limited number of the latest entities of a kind",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      yield* addEntity(reach, anEntity({ spaceId, kind: "task", properties: { oldest: 1 } }))
      for (let at = 0; at < sampleMax; at += 1) {
        yield* addEntity(reach, anEntity({ spaceId, kind: "task", properties: { later: at + 1 } }))
      }
      assert.deepStrictEqual(yield* filled(reach, ["task"]), {
        task: { sampleSize: sampleMax, filled: { later: sampleMax } }
      })
    })
  )
}
