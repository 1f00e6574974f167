/** What every store that reads profiles must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { ProfileType, type StoredProfile } from "../../../src/features/profiles/Profile.ts"
import { ancestorsMax, Profiles, seededKinds } from "../../../src/features/profiles/Profiles.ts"
import { PropertyDef } from "../../../src/features/profiles/PropertyDef.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { addAnyRecord, anyEvent } from "../../support/anyRecord.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, aWorkspaceOf } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"

const schemaFor = (reach: ReachShape, slug: string, spaceId: string) =>
  Effect.flatMap(Profiles, (profiles) => withReach(reach)(profiles.schemaFor(slug, spaceId)))
const slugsOf = (reach: ReachShape, slug: string, spaceId: string) =>
  Effect.map(schemaFor(reach, slug, spaceId), (schema) => schema?.definitions.map((each) => each.slug).toSorted())
const kinds = (reach: ReachShape) =>
  Effect.flatMap(Profiles, (profiles) => Effect.map(withReach(reach)(profiles.kinds), (found) => [...found].toSorted()))
const slugOf = (reach: ReachShape, id: string, spaceId: string) =>
  Effect.flatMap(Profiles, (profiles) => withReach(reach)(profiles.slugOf(id, spaceId)))

const addProfile = (
  reach: ReachShape,
  spaceId: string,
  slug: string,
  given: Partial<StoredProfile> & { readonly id?: string } = {}
) => {
  const { id, ...more } = given
  const fields = {
    slug,
    displayName: slug,
    description: null,
    icon: null,
    color: null,
    profileKind: "kind",
    entityScope: "workspace",
    parentProfileId: null,
    defaultValues: {},
    uiHints: {},
    applicableKinds: [],
    ...more
  } as const
  return Effect.map(addAnyRecord(reach, ProfileType, spaceId, fields, id), (made) => made.id)
}

const define = (
  reach: ReachShape,
  spaceId: string,
  profileId: string,
  slug: string,
  displayName: string | null = null
) =>
  addAnyRecord(reach, PropertyDef, spaceId, {
    profileId,
    slug,
    displayName,
    valueType: "text",
    constraints: {},
    uiHints: {}
  })

/** Creates a kind of entities with one property, in the workspace of a new person. */
const aKind = Effect.gen(function* () {
  const { personId, reach, spaceId } = yield* aMember()
  const profileId = yield* addProfile(reach, spaceId, "boat")
  yield* define(reach, spaceId, profileId, "length")
  return { personId, reach, spaceId, profileId }
})

export const profilesContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a member of a space finds the profiles of this space only in this space, and finds the built-in kinds in every space",
    Effect.gen(function* () {
      const { personId, profileId, reach, spaceId } = yield* aKind
      const other = yield* aWorkspaceOf(personId)
      const stranger = aReach()
      assert.isNull(yield* schemaFor(stranger, "boat", spaceId))
      assert.isNull(yield* slugOf(stranger, profileId, spaceId))
      assert.deepStrictEqual(yield* kinds(stranger), seededKinds.toSorted())
      assert.deepStrictEqual(yield* slugsOf(stranger, "note", spaceId), [])
      const both = aReach({ personId, spaces: [spaceId, other] })
      assert.isNull(yield* schemaFor(both, "boat", other))
      assert.isNull(yield* slugOf(both, profileId, other))
      assert.isNull(yield* schemaFor(reach, "ship", spaceId))
      assert.isNull(yield* slugOf(reach, uuidv7(), spaceId))
    })
  )

  rule(
    "the property rules for a kind of entity apply to every call of a member of the workspace, even with a key whose grant does not cover profiles",
    Effect.gen(function* () {
      const { personId, profileId, reach, spaceId } = yield* aKind
      const narrow = aReach({ personId, spaces: [spaceId], grant: { permissions: ["entity.boat"] } })
      for (const each of [reach, narrow]) {
        assert.deepStrictEqual(yield* slugsOf(each, "boat", spaceId), ["length"])
        assert.strictEqual(yield* slugOf(each, profileId, spaceId), "boat")
        assert.deepStrictEqual(yield* kinds(each), [...seededKinds, "boat"].toSorted())
      }
    })
  )

  rule(
    "for a list of spaces, the profile store returns the built-in entity kinds and the entity kinds of those spaces that the caller can access",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aKind
      const other = yield* aWorkspaceOf(personId)
      const within = (caller: ReachShape, spaces: ReadonlyArray<string>) =>
        Effect.flatMap(Profiles, ({ kindsIn }) =>
          Effect.map(withReach(caller)(kindsIn(spaces)), (found) => [...found].toSorted())
        )
      const both = aReach({ personId, spaces: [spaceId, other] })
      assert.deepStrictEqual(yield* within(both, [spaceId]), [...seededKinds, "boat"].toSorted())
      assert.deepStrictEqual(yield* within(both, [other]), seededKinds.toSorted())
      assert.deepStrictEqual(yield* within(reach, []), seededKinds.toSorted())
      assert.deepStrictEqual(yield* within(aReach(), [spaceId]), seededKinds.toSorted())
    })
  )

  rule(
    "the list of entity kinds contains no profile of the kind `role`, and the pod ignores archived profiles and archived property definitions",
    Effect.gen(function* () {
      const { profileId, reach, spaceId } = yield* aKind
      const roleId = yield* addProfile(reach, spaceId, "captain", { profileKind: "role" })
      assert.notInclude(yield* kinds(reach), "captain")
      assert.isNull(yield* slugOf(reach, roleId, spaceId))
      assert.strictEqual((yield* schemaFor(reach, "captain", spaceId))?.profileKind, "role")
      const { id } = yield* define(reach, spaceId, profileId, "draught")
      assert.deepStrictEqual(yield* slugsOf(reach, "boat", spaceId), ["draught", "length"])
      const { remove } = yield* Records
      yield* withReach(reach)(remove(PropertyDef, id, null, anyEvent(id, "delete"), aPassed))
      assert.deepStrictEqual(yield* slugsOf(reach, "boat", spaceId), ["length"])
      yield* withReach(reach)(remove(ProfileType, profileId, null, anyEvent(profileId, "delete"), aPassed))
      assert.isNull(yield* schemaFor(reach, "boat", spaceId))
      assert.notInclude(yield* kinds(reach), "boat")
    })
  )

  rule(
    "a profile (a kind of entity) inherits the property definitions of a limited number of ancestors, the nearest definition has priority, and a circle of parents causes no endless loop",
    Effect.gen(function* () {
      const { profileId, reach, spaceId } = yield* aKind
      yield* define(reach, spaceId, profileId, "name", "of the boat")
      let parentProfileId = profileId
      for (let at = 1; at < ancestorsMax; at += 1) {
        parentProfileId = yield* addProfile(reach, spaceId, `boat-${at}`, { parentProfileId, defaultValues: { at } })
      }
      yield* define(reach, spaceId, parentProfileId, "name", "of the youngest")
      const youngest = `boat-${ancestorsMax - 1}`
      assert.deepStrictEqual(yield* slugsOf(reach, youngest, spaceId), ["length", "name"])
      const schema = yield* schemaFor(reach, youngest, spaceId)
      assert.strictEqual(schema?.definitions.find(({ slug }) => slug === "name")?.displayName, "of the youngest")
      assert.deepStrictEqual(schema?.defaultValues, { at: ancestorsMax - 1 })
      yield* addProfile(reach, spaceId, "too-far", { parentProfileId })
      assert.deepStrictEqual(yield* slugsOf(reach, "too-far", spaceId), ["name"])
      const itself = uuidv7()
      yield* addProfile(reach, spaceId, "circle", { id: itself, parentProfileId: itself })
      assert.deepStrictEqual(yield* slugsOf(reach, "circle", spaceId), [])
    })
  )

  rule(
    "after a pod drops its cached property rules for a kind of entity, it uses the current rules of the space again",
    Effect.gen(function* () {
      const { profileId, reach, spaceId } = yield* aKind
      const profiles = yield* Profiles
      const remembered = withReach(reach)(profiles.cachedSchemaFor("boat", spaceId))
      assert.deepStrictEqual((yield* remembered)?.definitions.length, 1)
      yield* define(reach, spaceId, profileId, "draught")
      yield* profiles.forget("boat", spaceId)
      assert.deepStrictEqual((yield* remembered)?.definitions.length, 2)
      assert.deepStrictEqual((yield* remembered)?.definitions, (yield* schemaFor(reach, "boat", spaceId))?.definitions)
    })
  )
}
