/** What every store that finds entities by name and signals must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import {
  identityMatchesMax,
  type IdentityLookupQuery,
  IdentityLookup
} from "../../../src/features/identity/IdentityLookup.ts"
import { sameNameKey } from "../../../src/features/identity/ResolveIdentity.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, aWorkspaceOf } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { addEntity, anEntity, removeEntity } from "../entities/entityCalls.ts"

const named: IdentityLookupQuery = {
  nameKey: sameNameKey("Ada Lovelace"),
  kinds: ["person"],
  signals: [],
  spaces: null
}
const signalled: IdentityLookupQuery = {
  nameKey: "",
  kinds: [],
  signals: [{ name: "email", value: "ada@example.com" }],
  spaces: null
}

const alike = (reach: ReachShape, query: IdentityLookupQuery) =>
  Effect.flatMap(IdentityLookup, (store) => withReach(reach)(store.findMatching(query))).pipe(
    Effect.map((found) => [...new Set(found.map(({ id }) => id))].toSorted())
  )

const ada = (spaceId: string) =>
  anEntity({ spaceId, kind: "person", title: "Ada  LOVELACE", properties: { email: "Ada@Example.com" } })

export const identityLookupContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "an entity that the caller cannot access is found neither by its name nor by its e-mail address or another identifying value",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const other = yield* aWorkspaceOf(personId)
      const { id } = yield* addEntity(reach, ada(spaceId))
      const both = { personId, spaces: [spaceId, other] }
      for (const query of [named, signalled, { ...named, signals: signalled.signals }]) {
        for (const [caller, outside] of [
          ["a stranger", aReach()],
          ["another workspace", aReach({ personId, spaces: [other] })],
          ["a grant elsewhere", aReach({ ...both, grant: { workspaceIds: [other] } })],
          ["another kind", aReach({ ...both, kinds: ["company"] })],
          ["another entity", aReach({ ...both, grant: { entityIds: [uuidv7()] } })]
        ] as const) {
          assert.deepStrictEqual(yield* alike(outside, query), [], caller)
        }
        assert.deepStrictEqual(yield* alike(reach, query), [id])
        assert.deepStrictEqual(yield* alike(aReach(both), { ...query, spaces: [other] }), [])
        assert.deepStrictEqual(yield* alike(aReach({ personId }), { ...query, spaces: [spaceId] }), [])
      }
    })
  )

  rule(
    "a look-up by name finds only entities of the requested kinds, a look-up by e-mail address finds entities of all kinds, and no look-up finds an archived entity",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const person = yield* addEntity(reach, ada(spaceId))
      const company = yield* addEntity(reach, { ...ada(spaceId), id: uuidv7(), kind: "company" })
      const archived = yield* addEntity(reach, ada(spaceId))
      yield* removeEntity(reach, archived.id)
      yield* addEntity(reach, anEntity({ spaceId, kind: "person", title: "Ada Byron" }))
      assert.deepStrictEqual(yield* alike(reach, named), [person.id])
      assert.deepStrictEqual(yield* alike(reach, signalled), [person.id, company.id].toSorted())
      assert.deepStrictEqual(yield* alike(reach, { ...named, kinds: [] }), [])
      assert.deepStrictEqual(yield* alike(reach, { ...named, nameKey: "" }), [])
    })
  )

  rule(
    "if more entities have the name or the identifying value than the pod compares, the pod compares the newest",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const made = yield* Effect.forEach(Array.from({ length: identityMatchesMax + 2 }), () =>
        Effect.map(addEntity(reach, { ...ada(spaceId), id: uuidv7() }), ({ id }) => id)
      )
      const newest = made.toSorted().slice(2)
      assert.deepStrictEqual(yield* alike(reach, named), newest)
      assert.deepStrictEqual(yield* alike(reach, signalled), newest)
      assert.deepStrictEqual(yield* alike(reach, { ...named, signals: signalled.signals }), newest)
    })
  )
}
