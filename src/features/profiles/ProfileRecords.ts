/** Stores profiles and property definitions, and checks them before each write. The gate must allow each write. */
import { Context, Effect, Layer } from "effect"
import { builtInSpaceId } from "../../doors/OwnSpace.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, Forbidden, Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import { type Bounds, Reach, type ReachShape } from "../../doors/Reach.ts"
import type { GovernanceGate } from "../gate/GovernanceGate.ts"
import type { QuotaNeeds } from "../gate/Quotas.ts"
import type { Change } from "../gate/Write.ts"
import type { Changers, Deleted, WriteDetails } from "../gate/Changers.ts"
import { actionNameFault } from "../grants/KindSlug.ts"
import { isActionName } from "../grants/Permission.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordOperations, WriteFailure } from "../records/RecordOperations.ts"
import { type Listing, Records } from "../records/Records.ts"
import { completeFields, type OwnFields, type Patch } from "../records/RecordType.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { isBuiltIn, type ProfileListing, ProfileType, type StoredProfile } from "./Profile.ts"
import { ancestorsMax } from "./Profiles.ts"
import { definitionOf, PropertyDef } from "./PropertyDef.ts"
import { definitionFaults } from "./PropertyRules.ts"

const profileMissing = missingRecord("profile")

/**
 * Adds the space of the built-in profiles to the spaces that the call may read. A call that can read any space at all
 * can also read the built-in profiles.
 */
const withEveryPod = (reach: ReachShape): ReachShape => ({
  ...reach,
  bounds: (subject, action) => {
    const bounds = reach.bounds(subject, action)
    return action === "read" && bounds.spaces.length > 0
      ? { ...bounds, spaces: [...bounds.spaces, builtInSpaceId] }
      : bounds
  }
})

/**
 * Returns the rights of the call without the limits of its grant. They cover the built-in profiles. They also cover the
 * given space if the caller's person is a member of that space.
 */
const inSpaceOf = (reach: ReachShape, spaceId: string): ReachShape => {
  const isTheirs = reach.principal.memberships.some((membership) => membership.spaceId === spaceId)
  const spaces = isTheirs ? [spaceId, builtInSpaceId] : [builtInSpaceId]
  const bounds: Bounds = { spaces, kinds: null, objects: null, projects: null }
  return { ...reach, bounds: () => bounds }
}

// the maximum number of profiles or definitions of a space that the checks read
const listMax = 10_000

type Target = Pick<Change, "action" | "targetId" | "object">

type Needs = Records | GovernanceGate | Changers | QuotaNeeds

export class ProfileRecords extends Context.Tag("pod/ProfileRecords")<
  ProfileRecords,
  {
    /**
     * Lists the profiles of one workspace, or of every space that the caller can read, latest change first. The list
     * includes the built-in profiles.
     */
    readonly list: (listing: Omit<ProfileListing, "detail">) => Effect.Effect<Page<StoredProfile>, Forbidden, Reach>
    readonly get: (id: string) => Effect.Effect<StoredProfile, NotFound, Reach>
    readonly create: RecordOperations<StoredProfile>["create"]
    /**
     * Changes a profile. Fails with Forbidden for a built-in profile. A workspace can only add its own definitions to a
     * built-in profile.
     */
    readonly update: (
      id: string,
      fields: Patch<StoredProfile>,
      details?: WriteDetails
    ) => Effect.Effect<StoredProfile, WriteFailure, Reach>
    readonly remove: (id: string) => Effect.Effect<Deleted, WriteFailure, Reach>
    readonly definitions: RecordOperations<PropertyDef>
  }
>() {
  static readonly layer: Layer.Layer<ProfileRecords, never, Needs> = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records

      const profilesIn = (spaceId: string, where: Listing<StoredProfile>["where"] = {}) =>
        Effect.flatMap(Reach, (reach) =>
          Effect.provideService(records.list(ProfileType, { where, limit: listMax }), Reach, inSpaceOf(reach, spaceId))
        ).pipe(Effect.map(({ items }) => items))

      /**
       * Checks all fields of a profile together, such as the slug and the parent, also against the other profiles of
       * its space.
       */
      const checkWhole = Effect.fnUntraced(function* (profile: OwnFields<StoredProfile>, { object, targetId }: Target) {
        if (isActionName(profile.slug)) return yield* invalid("slug", actionNameFault)
        const others = (yield* profilesIn(object.spaceId)).filter(({ id }) => id !== targetId)
        if (others.some(({ slug }) => slug === profile.slug)) {
          return yield* new Conflict({
            code: "SLUG_TAKEN",
            why: `A profile with the slug ${profile.slug} already exists. Choose another slug, or add property definitions to the existing profile.`
          })
        }
        const { applicableKinds, parentProfileId, profileKind } = profile
        if ((profileKind === "role") !== applicableKinds.length > 0) {
          return yield* invalid(
            "applicableKinds",
            "Send `applicableKinds` for a role; leave `applicableKinds` out for an entity kind."
          )
        }
        const kinds = new Set(others.filter((other) => other.profileKind === "kind").map(({ slug }) => slug))
        const unknown = applicableKinds.find((kind) => !kinds.has(kind))
        if (unknown !== undefined)
          return yield* invalid("applicableKinds", `This space has no entity kind (profile slug) ${unknown}.`)
        let parentId = parentProfileId
        for (let at = 1; parentId !== null; at += 1) {
          const parent = others.find(({ id }) => id === parentId)
          if (parent?.profileKind !== profileKind) {
            const why = `The parent profile must be another ${profileKind} of this space, or a built-in ${profileKind}. The parent profile must not inherit from this profile.`
            return yield* invalid("parentProfileId", why)
          }
          if (at === ancestorsMax) {
            return yield* invalid(
              "parentProfileId",
              `This profile would have more than ${ancestorsMax} parents above it, which is not allowed. Choose another parent profile.`
            )
          }
          parentId = parent.parentProfileId
        }
      })

      const checkProfile = (
        fields: Partial<OwnFields<StoredProfile>>,
        target: Target
      ): Effect.Effect<void, Invalid | Conflict | NotFound, Reach> =>
        Effect.gen(function* () {
          if (target.action === "create") return yield* checkWhole(completeFields<StoredProfile>(fields), target)
          const [itself] = yield* profilesIn(target.object.spaceId, { id: target.targetId })
          if (itself === undefined) return yield* profileMissing
          if (target.action === "delete") {
            const others = yield* profilesIn(target.object.spaceId)
            const rests = others.find(
              ({ applicableKinds, parentProfileId }) =>
                parentProfileId === itself.id || applicableKinds.includes(itself.slug)
            )
            if (rests === undefined) return
            const why = `The profile ${rests.slug} refers to this profile. Change or delete ${rests.slug} first.`
            return yield* new Conflict({ code: "PROFILE_IN_USE", why })
          }
          for (const name of ["slug", "profileKind"] as const) {
            if (fields[name] !== undefined && fields[name] !== itself[name]) {
              return yield* invalid(name, "This field cannot be changed after the profile is created.")
            }
          }
          yield* checkWhole({ ...itself, ...fields }, target)
        })

      const checkDefinition = (
        fields: Partial<OwnFields<PropertyDef>>,
        { action, object, targetId }: Target
      ): Effect.Effect<void, Invalid | Conflict | NotFound, Reach> =>
        Effect.gen(function* () {
          if (action === "delete") return
          const reach = inSpaceOf(yield* Reach, object.spaceId)
          const itself =
            action === "create"
              ? completeFields<PropertyDef>(fields)
              : yield* records.get(PropertyDef, targetId).pipe(
                  Effect.provideService(Reach, reach),
                  Effect.catchTag("RecordNotFound", () => missingRecord("property definition"))
                )
          for (const name of ["profileId", "slug", "valueType"] as const) {
            if (fields[name] !== undefined && fields[name] !== itself[name]) {
              return yield* invalid(
                name,
                "This field cannot be changed after the definition is created. Create another property definition."
              )
            }
          }
          const { profileId, slug } = itself
          if (action === "create") {
            const [profile] = yield* profilesIn(object.spaceId, { id: profileId })
            if (profile === undefined) {
              return yield* invalid(
                "profileId",
                "This space has no profile with this id. Send the id of a profile of this space, or of a built-in profile."
              )
            }
            const same = { where: { profileId, slug }, spaces: [object.spaceId], limit: 1 }
            if ((yield* Effect.provideService(records.list(PropertyDef, same), Reach, reach)).items.length > 0) {
              const why = `This space already has a definition of ${slug} for ${profile.slug}. Change that definition.`
              return yield* new Conflict({ code: "SLUG_TAKEN", why })
            }
          }
          const whole = { ...itself, ...fields }
          const { defaultValue, options } = definitionOf(whole)
          const faults = definitionFaults(whole.valueType, whole.constraints, options, defaultValue)
          if (faults.length > 0) return yield* new Invalid({ faults })
        })

      const profiles = yield* governedRecords(ProfileType, {
        // Writes of the profiles of one space run one after another. Otherwise two simultaneous changes could make two
        // profiles the parents of each other.
        comparison: { comparedGroup: (_fields, { object }) => `profiles of ${object.spaceId}`, check: checkProfile }
      })
      const definitions = yield* governedRecords(PropertyDef, {
        // Writes of definitions run one after another with the writes of the profiles of the space. Otherwise two
        // simultaneous changes could set parts of a definition that do not fit together, such as the options and the
        // default value. Or a profile could be deleted while a definition of it is created.
        comparison: {
          comparedGroup: (_fields, { action, object }) =>
            action === "delete" ? undefined : `profiles of ${object.spaceId}`,
          check: checkDefinition
        }
      })

      const get = (id: string) =>
        Effect.flatMap(Reach, (reach) =>
          records.get(ProfileType, id).pipe(
            Effect.catchTag("RecordNotFound", () => profileMissing),
            Effect.provideService(Reach, withEveryPod(reach))
          )
        )

      /**
       * Refuses a change of a built-in profile. For any other profile, the write itself later checks whether the
       * profile exists.
       */
      const isChangeable = (id: string) =>
        Effect.flatMap(Effect.option(get(id)), (found) =>
          found._tag === "Some" && isBuiltIn(found.value)
            ? new Forbidden({
                code: "PROFILE_OF_EVERY_POD",
                why: "The fields of this built-in profile cannot be changed. You can add property definitions for your space, or create your own profile.",
                required: [],
                granted: []
              })
            : Effect.void
        )

      return {
        list: Effect.fnUntraced(function* ({ cursor, limit, offset, profileKind, workspaceId }) {
          const reach = yield* Reach
          const spaces = workspaceId === undefined ? undefined : [yield* requestedSpace(workspaceId), builtInSpaceId]
          const listing = { where: { profileKind }, spaces, limit, offset, cursor }
          return yield* Effect.provideService(records.list(ProfileType, listing), Reach, withEveryPod(reach))
        }),
        get,
        create: profiles.create,
        update: (id, fields, details) => Effect.zipRight(isChangeable(id), profiles.update(id, fields, details)),
        remove: (id) => Effect.zipRight(isChangeable(id), profiles.remove(id)),
        definitions
      }
    })
  )
}
