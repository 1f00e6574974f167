/** A profile: a kind of entity, or a role that entities of some kinds may play besides (compatibility reference §6.4). */
import { Schema } from "effect"
import {
  example,
  described,
  WorkspaceId,
  CallerId,
  JsonObject,
  JsonObjectInput,
  pageInput,
  pageQuery,
  Timestamp
} from "../../doors/Fields.ts"
import { NewKindSlug } from "../grants/KindSlug.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"

/** The space of the profiles that every pod has, and the person they belong to: nobody. */
export const builtInSpaceId = "00000000-0000-0000-0000-000000000000"

const slugForm = /^[a-z0-9][a-z0-9_-]*$/
/** As it stands in a permission: `entity.<slug>.read`. */
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
  fields: {
    slug: Slug,
    displayName: Name,
    description: Description,
    icon: Icon,
    color: Color,
    profileKind: described("A kind of entity, or a role that entities play.", ProfileKind),
    entityScope: described("Whether it applies in one workspace or in the whole pod.", EntityScope),
    parentProfileId: described(
      "Its definitions and defaults apply here too, unless this profile defines the same slug.",
      Schema.NullOr(Schema.UUID)
    ),
    defaultValues: described(
      "Default values by slug. They take precedence over the default of the definition.",
      JsonObject
    ),
    uiHints: described("How clients may show it.", JsonObject),
    applicableKinds: described("A role only: the kinds of entity that may play it.", ApplicableKinds)
  },
  title: ({ displayName, slug }) => displayName ?? slug ?? ""
})
export type StoredProfile = typeof ProfileType.schema.Type

const digest = {
  id: Schema.UUID,
  slug: Schema.String,
  displayName: Schema.String,
  entityScope: described("Whether it applies in one workspace or in the whole pod.", EntityScope),
  description: Schema.NullOr(Schema.String),
  icon: Schema.NullOr(Schema.String)
}

const further = {
  parentProfileId: described("The profile that it refines.", Schema.NullOr(Schema.UUID)),
  scope: described(
    "`system`: every pod has it. `workspace`: of the workspace named. `user`: of the person's own space.",
    Schema.Literal("system", "workspace", "user")
  ),
  workspaceId: Schema.NullOr(WorkspaceId),
  defaultValues: described("Default values of the properties.", JsonObject),
  uiHints: described("How clients may show it.", JsonObject),
  color: Schema.NullOr(Schema.String),
  profileKind: described("A kind of entity, or a role that entities play.", ProfileKind),
  applicableKinds: described("The kinds that may play this role.", Schema.Array(Schema.String)),
  version: described("The number of writes, starting at 1.", Schema.Number),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Profile = Schema.Struct({ ...digest, ...further }).annotations({ identifier: "Profile" })
export type Profile = typeof Profile.Type

/** What a listing shows of a profile; the further fields only where all of it was asked for. */
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
      "A kind of entity, or a role that entities play.",
      Schema.optionalWith(ProfileKind, { default: () => "kind" as const })
    ),
    entityScope: described(
      "Whether it applies in one workspace or in the whole pod.",
      Schema.optionalWith(EntityScope, { default: () => "workspace" as const })
    ),
    parentProfileId: described(
      "The profile that it refines.",
      Schema.optionalWith(Schema.NullOr(Schema.UUID), { default: () => null })
    ),
    defaultValues: described(
      "Default values of the properties.",
      Schema.optionalWith(JsonObjectInput, { default: () => ({}) })
    ),
    uiHints: described("How clients may show it.", Schema.optionalWith(JsonObjectInput, { default: () => ({}) })),
    applicableKinds: described(
      "The kinds that may play this role.",
      Schema.optionalWith(ApplicableKinds, { default: () => [] })
    ),
    ...updateDetails
  }).annotations({ identifier: "ProfileDraft" }),
  { slug: "recipe", displayName: "Recipe", description: "How to cook something." }
)
export type ProfileDraft = typeof ProfileDraft.Type

/** The slug and whether it is a kind or a role stay: entities and grants name it by the one and rest on the other. */
export const ProfileChange = Schema.Struct({
  userId: Schema.optional(CallerId),
  displayName: Schema.optional(Name),
  description: Schema.optional(Description),
  icon: Schema.optional(Icon),
  color: Schema.optional(Color),
  entityScope: described("Whether it applies in one workspace or in the whole pod.", Schema.optional(EntityScope)),
  parentProfileId: described("The profile that it refines.", Schema.optional(Schema.NullOr(Schema.UUID))),
  defaultValues: described("Default values of the properties.", Schema.optional(JsonObjectInput)),
  uiHints: described("How clients may show it.", Schema.optional(JsonObjectInput)),
  applicableKinds: described("The kinds that may play this role.", Schema.optional(ApplicableKinds)),
  ...updateDetails
}).annotations({ identifier: "ProfileChange" })
export type ProfileChange = typeof ProfileChange.Type

/** Whether every pod has it. */
export const isBuiltIn = ({ userId }: Pick<StoredProfile, "userId">): boolean => userId === builtInSpaceId

/** A profile as it travels. */
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
  profileKind: described("A kind of entity, or a role that entities play.", Schema.optional(ProfileKind)),
  detail: described(
    "How many fields of each profile to return.",
    Schema.optionalWith(Detail, { default: () => "digest" as const })
  )
}

export const ProfileQuery = Schema.Struct({ ...filters, ...pageQuery(200, 1000) })
export const ProfileInput = Schema.Struct({ ...filters, ...pageInput(200, 1000) })
export type ProfileListing = typeof ProfileInput.Type
