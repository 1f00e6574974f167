/**
 * A profile: a kind of entity, or a role that entities can have in addition to their kind (compatibility reference
 * §6.4).
 */
import { Schema } from "effect"
import {
  described,
  WorkspaceId,
  CallerId,
  JsonObject,
  objectInput,
  Timestamp,
  UiHints,
  UiHintsInput
} from "../../doors/Fields.ts"
import { builtInSpaceId } from "../../doors/OwnSpace.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { NewKindSlug } from "../grants/KindSlug.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf, inWorkspace } from "../records/RecordInputs.ts"
import { createDetails, recordType, updateDetails } from "../records/RecordType.ts"

const slugForm = /^[a-z0-9][a-z0-9_-]*$/
/** The slug of the profile. Permissions contain it: `entity.<slug>.read`. */
const Slug = Schema.String.pipe(Schema.pattern(slugForm), Schema.maxLength(64))
const EntityScope = Schema.Literal("pod", "workspace").annotations({
  identifier: "EntityScope",
  description: "Whether the profile applies in one workspace or in the whole pod."
})
export const ProfileKind = Schema.Literal("kind", "role").annotations({
  identifier: "ProfileKind",
  description: "`kind`: an entity kind; `role`: a role that entities can have in addition to their kind."
})
const DefaultValues = JsonObject.annotations({
  identifier: "DefaultValues",
  description: "Values of a new entity for properties that the request leaves out, by property slug."
})
const optionalText = (max: number) =>
  writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(max))), { default: null })

const kindsMeaning = "For a role: slugs of the kinds that may play it."

export const ProfileType = recordType("profile", {
  identifier: "StoredProfile",
  subject: "profile",
  table: "profiles",
  unique: { fields: ["slug"] },
  fields: {
    slug: writable(Slug, { input: NewKindSlug, change: false }),
    displayName: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))),
    description: optionalText(10_000),
    icon: optionalText(255),
    color: optionalText(64),
    profileKind: writable(ProfileKind, {
      default: "kind",
      change: false
    }),
    entityScope: writable(EntityScope, { default: "workspace" }),
    /**
     * The id of the parent profile. The definitions and default values of the parent also apply to this profile. But if
     * this profile defines a property with the same slug, its own definition applies.
     */
    parentProfileId: writable(Schema.NullOr(Id), { default: null }),
    /**
     * The default values, by the slug of the property. They take precedence over the default values in the definitions.
     */
    defaultValues: writable(DefaultValues, { input: objectInput(DefaultValues), default: {} }),
    uiHints: writable(UiHints, { input: UiHintsInput, default: {} }),
    applicableKinds: writable(Schema.Array(Slug).pipe(Schema.maxItems(64)), { meaning: kindsMeaning, default: [] })
  },
  title: ({ displayName, slug }) => displayName ?? slug ?? ""
})
export type StoredProfile = typeof ProfileType.schema.Type

const { defaultValues, entityScope, parentProfileId, profileKind, uiHints } = ProfileType.stored

const digest = {
  id: Id,
  slug: Schema.String,
  displayName: Schema.String,
  entityScope,
  description: Schema.NullOr(Schema.String),
  icon: Schema.NullOr(Schema.String)
}

const furtherFields = {
  parentProfileId,
  scope: described(
    "`system`: every pod has the profile; `workspace`: one workspace; `user`: one personal space.",
    Schema.Literal("system", "workspace", "user")
  ),
  workspaceId: Schema.NullOr(WorkspaceId),
  defaultValues,
  uiHints,
  color: Schema.NullOr(Schema.String),
  profileKind,
  applicableKinds: described(kindsMeaning, Schema.Array(Schema.String)),
  version: described("Version, from 1. Each write adds one.", Schema.Number),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Profile = Schema.Struct({ ...digest, ...furtherFields }).annotations({ identifier: "Profile" })
export type Profile = typeof Profile.Type

/** A profile in a list. The fields in the group `furtherFields` are present only if the request asks for full detail. */
export const ListedProfile = Schema.extend(
  Schema.Struct(digest),
  Schema.partialWith(Schema.Struct(furtherFields), { exact: true })
).annotations({ identifier: "ListedProfile" })
export type ListedProfile = typeof ListedProfile.Type

export const ProfileDraft = inputOf(
  "ProfileDraft",
  { userId: Schema.optional(CallerId), ...inWorkspace, ...ProfileType.draft, ...createDetails },
  { slug: "recipe", displayName: "Recipe", description: "How to cook something." }
)
export type ProfileDraft = typeof ProfileDraft.Type

/**
 * A change of a profile. The slug cannot change, because entities and grants contain the slug. A kind cannot become a
 * role, and a role cannot become a kind, because existing entities already use the profile as kind or as role.
 */
export const ProfileChange = inputOf(
  "ProfileChange",
  { userId: Schema.optional(CallerId), ...ProfileType.change, ...updateDetails },
  { displayName: "Recipes" }
)
export type ProfileChange = typeof ProfileChange.Type

/** Returns true if the profile is built into every pod. */
export const isBuiltIn = ({ userId }: Pick<StoredProfile, "userId">): boolean => userId === builtInSpaceId

/** Converts a stored profile to the form that the API returns. */
export const toWire = ({ userId, ...profile }: StoredProfile): Profile => ({
  ...profile,
  scope: isBuiltIn({ userId }) ? "system" : profile.workspaceId === null ? "user" : "workspace"
})

const digestOf = ({ description, displayName, entityScope, icon, id, slug }: Profile): ListedProfile => ({
  id,
  slug,
  displayName,
  entityScope,
  description,
  icon
})

export const listedProfileOf = (detail: Detail, profile: StoredProfile): ListedProfile =>
  detail === "full" ? toWire(profile) : digestOf(toWire(profile))

const Detail = Schema.Literal("digest", "full")
type Detail = typeof Detail.Type

const filters = {
  workspaceId: Schema.optional(WorkspaceId),
  profileKind: Schema.optional(profileKind),
  detail: described(
    "Which fields of each profile to return: all fields (`full`), or only a few (`digest`).",
    Schema.optionalWith(Detail, { default: () => "digest" as const })
  )
}

export const ProfileQuery = Schema.Struct({ ...filters, ...pageQuery("profiles", 200, 1000) })
export const ProfileInput = Schema.Struct({ ...filters, ...pageInput("profiles", 200, 1000) })
export type ProfileListing = typeof ProfileInput.Type
