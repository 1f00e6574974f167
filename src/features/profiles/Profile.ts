/** A profile: a kind of entity, or a role that entities of some kinds can have too (compatibility reference §6.4). */
import { Schema } from "effect"
import {
  example,
  described,
  WorkspaceId,
  CallerId,
  JsonObject,
  JsonObjectInput,
  Timestamp
} from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { NewKindSlug } from "../grants/KindSlug.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"

/** The id of the space of the built-in profiles. Their owner has the same id. No person has this id. */
export const builtInSpaceId = "00000000-0000-0000-0000-000000000000"

const slugForm = /^[a-z0-9][a-z0-9_-]*$/
/** The slug of the profile. Permissions contain it: `entity.<slug>.read`. */
const Slug = Schema.String.pipe(Schema.pattern(slugForm), Schema.maxLength(64))
const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))
const Description = Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000)))
const Icon = Schema.NullOr(Schema.String.pipe(Schema.maxLength(255)))
const Color = Schema.NullOr(Schema.String.pipe(Schema.maxLength(64)))
const EntityScope = Schema.Literal("pod", "workspace")
const ProfileKind = Schema.Literal("kind", "role")
const kindsMax = 64
const ApplicableKinds = Schema.Array(Slug).pipe(Schema.maxItems(kindsMax))

export const ProfileType = recordType("profile", {
  identifier: "StoredProfile",
  subject: "profile",
  table: "profiles",
  unique: { fields: ["slug"] },
  fields: {
    slug: Slug,
    displayName: Name,
    description: Description,
    icon: Icon,
    color: Color,
    profileKind: described("Entity kind or role.", ProfileKind),
    entityScope: described("Whether it applies in one workspace or the whole pod.", EntityScope),
    parentProfileId: described(
      "Parent profile; its definitions and defaults apply here too, unless this profile defines the same slug.",
      Schema.NullOr(Id)
    ),
    defaultValues: described(
      "Default values of the properties by slug. They take precedence over the defaults of the definitions.",
      JsonObject
    ),
    uiHints: described("Display hints for clients.", JsonObject),
    applicableKinds: described(
      "For a role only: the entity kinds (profile slugs) that may play the role.",
      ApplicableKinds
    )
  },
  title: ({ displayName, slug }) => displayName ?? slug ?? ""
})
export type StoredProfile = typeof ProfileType.schema.Type

const digest = {
  id: Id,
  slug: Schema.String,
  displayName: Schema.String,
  entityScope: described("Whether it applies in one workspace or the whole pod.", EntityScope),
  description: Schema.NullOr(Schema.String),
  icon: Schema.NullOr(Schema.String)
}

const further = {
  parentProfileId: described("Id of the parent profile.", Schema.NullOr(Id)),
  scope: described(
    "`system`: every pod has the profile; `workspace`: one workspace; `user`: one personal space.",
    Schema.Literal("system", "workspace", "user")
  ),
  workspaceId: Schema.NullOr(WorkspaceId),
  defaultValues: described("Default values of the properties.", JsonObject),
  uiHints: described("Display hints for clients.", JsonObject),
  color: Schema.NullOr(Schema.String),
  profileKind: described("Entity kind or role.", ProfileKind),
  applicableKinds: described("For a role: profile slugs of the kinds that may play it.", Schema.Array(Schema.String)),
  version: described("Version: the number of writes, from 1.", Schema.Number),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Profile = Schema.Struct({ ...digest, ...further }).annotations({ identifier: "Profile" })
export type Profile = typeof Profile.Type

/** A profile in a listing. The fields in the group `further` are present only if the request asks for full detail. */
export const ListedProfile = Schema.extend(
  Schema.Struct(digest),
  Schema.partialWith(Schema.Struct(further), { exact: true })
).annotations({ identifier: "ListedProfile" })
export type ListedProfile = typeof ListedProfile.Type

export const ProfileDraft = example(
  Schema.Struct({
    userId: Schema.optional(CallerId),
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
    slug: NewKindSlug,
    displayName: Name,
    description: Schema.optionalWith(Description, { default: () => null }),
    icon: Schema.optionalWith(Icon, { default: () => null }),
    color: Schema.optionalWith(Color, { default: () => null }),
    profileKind: described(
      "Entity kind or role.",
      Schema.optionalWith(ProfileKind, { default: () => "kind" as const })
    ),
    entityScope: described(
      "Whether it applies in one workspace or the whole pod.",
      Schema.optionalWith(EntityScope, { default: () => "workspace" as const })
    ),
    parentProfileId: described(
      "Id of the parent profile.",
      Schema.optionalWith(Schema.NullOr(Id), { default: () => null })
    ),
    defaultValues: described(
      "Default values of the properties.",
      Schema.optionalWith(JsonObjectInput, { default: () => ({}) })
    ),
    uiHints: described("Display hints for clients.", Schema.optionalWith(JsonObjectInput, { default: () => ({}) })),
    applicableKinds: described(
      "For a role: profile slugs of the kinds that may play it.",
      Schema.optionalWith(ApplicableKinds, { default: () => [] })
    ),
    ...updateDetails
  }).annotations({ identifier: "ProfileDraft" }),
  { slug: "recipe", displayName: "Recipe", description: "How to cook something." }
)
export type ProfileDraft = typeof ProfileDraft.Type

/**
 * A change of a profile. It cannot change the slug, because entities and grants contain it. It cannot change whether
 * the profile is a kind or a role, because entities depend on that.
 */
export const ProfileChange = example(
  Schema.Struct({
    userId: Schema.optional(CallerId),
    displayName: Schema.optional(Name),
    description: Schema.optional(Description),
    icon: Schema.optional(Icon),
    color: Schema.optional(Color),
    entityScope: described("Whether it applies in one workspace or the whole pod.", Schema.optional(EntityScope)),
    parentProfileId: described("Id of the parent profile.", Schema.optional(Schema.NullOr(Id))),
    defaultValues: described("Default values of the properties.", Schema.optional(JsonObjectInput)),
    uiHints: described("Display hints for clients.", Schema.optional(JsonObjectInput)),
    applicableKinds: described(
      "For a role: profile slugs of the kinds that may play it.",
      Schema.optional(ApplicableKinds)
    ),
    ...updateDetails
  }).annotations({ identifier: "ProfileChange" }),
  { displayName: "Recipes" }
)
export type ProfileChange = typeof ProfileChange.Type

/** Whether the profile is built into every pod. */
export const isBuiltIn = ({ userId }: Pick<StoredProfile, "userId">): boolean => userId === builtInSpaceId

/** A profile as the API returns it. */
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
  profileKind: described("Entity kind or role.", Schema.optional(ProfileKind)),
  detail: described(
    "How many fields of each profile to return.",
    Schema.optionalWith(Detail, { default: () => "digest" as const })
  )
}

export const ProfileQuery = Schema.Struct({ ...filters, ...pageQuery(200, 1000) })
export const ProfileInput = Schema.Struct({ ...filters, ...pageInput(200, 1000) })
export type ProfileListing = typeof ProfileInput.Type
