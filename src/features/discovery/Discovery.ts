/**
 * The query and the answer of discovery: the kinds of entity with their properties, and how many entities have a value
 * for each property.
 */
import { Schema } from "effect"
import { commaList, described, flagQuery, JsonObject, UiHints, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { ProfileSlug } from "../profiles/ProfileSlug.ts"
import { ProfileKind, type StoredProfile } from "../profiles/Profile.ts"
import { definitionOf, type PropertyDef } from "../profiles/PropertyDef.ts"
import { RelationType } from "../relations/RelationDef.ts"

const Fill = Schema.Struct({
  filled: described("How many of the counted entities have a value for the property.", Schema.Number),
  sampleSize: described(
    "Number of counted entities: the pod counts only the latest entities that the caller may read.",
    Schema.Number
  )
}).annotations({ identifier: "PropertyFill" })

export const DiscoveredProperty = Schema.Struct({
  slug: Schema.String,
  displayName: Schema.String,
  type: Schema.String,
  options: described("Values that the property allows.", Schema.Array(Schema.String)),
  required: described("Whether the property must have a value.", Schema.Boolean),
  defaultValue: Schema.Unknown.annotations({
    jsonSchema: {},
    description: "Value of the property when a write gives no value."
  }),
  constraints: described("Constraints on the values of the property.", JsonObject),
  targetProfileSlug: described(
    "Entity kind (profile slug) of the entities that the property refers to.",
    Schema.NullOr(Schema.String)
  ),
  schemaScope: described(
    "Where the definition applies: a workspace or the personal space.",
    Schema.Literal("workspace", "user")
  ),
  workspaceId: Schema.NullOr(WorkspaceId),
  displayOrder: described("Position of the property in a list of all properties.", Schema.Number),
  uiHints: UiHints,
  fill: described(
    "How many of the latest entities have a value for the property; present only if the request has `fill=true`.",
    Schema.optionalWith(Fill, { exact: true })
  )
}).annotations({ identifier: "DiscoveredProperty" })
export type DiscoveredProperty = typeof DiscoveredProperty.Type

export const DiscoveredProfile = Schema.Struct({
  id: Id,
  slug: Schema.String,
  displayName: Schema.String,
  scope: described(
    "Where the profile exists: in every pod, in one workspace or in the personal space.",
    Schema.Literal("system", "workspace", "user")
  ),
  visibility: described(
    "Who may read the profile: everybody of the pod, the members of its workspace, or only its owner.",
    Schema.Literal("pod", "workspace", "private")
  ),
  workspaceId: Schema.NullOr(WorkspaceId),
  description: Schema.NullOr(Schema.String),
  icon: Schema.NullOr(Schema.String),
  profileKind: ProfileKind,
  applicableKinds: described("Entity kinds (profile slugs) that may play the role.", Schema.Array(Schema.String)),
  properties: described(
    "Properties of the profile; absent if the request sets `summary`.",
    Schema.optionalWith(Schema.Array(DiscoveredProperty), { exact: true })
  ),
  schemaUnavailable: described(
    "Why `properties` is not complete.",
    Schema.optionalWith(
      Schema.Struct({
        reason: described("Why properties are missing, as a code.", Schema.String),
        resolvedProfileId: described("Id of the profile whose properties are missing.", Schema.NullOr(Id)),
        hint: described("What to do next.", Schema.String)
      }),
      { exact: true }
    )
  ),
  slugWritesTo: described(
    "Profile that a write without a workspace uses. Present only if several profiles have this slug.",
    Schema.optionalWith(
      Schema.Struct({
        reason: described("Why a write uses the profile, as a code.", Schema.String),
        profileId: Id,
        hint: described("What to do next.", Schema.String)
      }),
      { exact: true }
    )
  ),
  createCommand: described("Call that creates an entity of the profile.", Schema.String),
  entityCount: described(
    "How many entities of the profile the caller may read. The pod counts at most 10,000 in each space.",
    Schema.Number
  )
}).annotations({ identifier: "DiscoveredProfile" })
export type DiscoveredProfile = typeof DiscoveredProfile.Type

export const DiscoveryPayload = Schema.Struct({
  relationTypes: Schema.optionalWith(Schema.Array(RelationType), { exact: true }),
  relationTypesError: described(
    "Why the relation types are missing.",
    Schema.optionalWith(Schema.String, { exact: true })
  ),
  profiles: described("Profiles (entity kinds and roles) that the caller may use.", Schema.Array(DiscoveredProfile)),
  groups: described(
    "Profiles by origin; present only if the request sets `groups`.",
    Schema.optionalWith(
      Schema.Array(
        Schema.Struct({
          origin: described("Where the group's profiles exist.", Schema.Literal("system", "workspace", "user")),
          workspaceId: Schema.NullOr(WorkspaceId),
          profileIds: described("Ids of the profiles with this origin.", Schema.Array(Id))
        })
      ),
      { exact: true }
    )
  ),
  commands: described("Calls that are useful next.", Schema.Record({ key: Schema.String, value: Schema.String })),
  hint: described("What to do next.", Schema.String)
}).annotations({ identifier: "Discovery" })
export type DiscoveryPayload = typeof DiscoveryPayload.Type

const slugs = commaList(Schema.Array(ProfileSlug), 10_000)

export const DiscoveryQuery = Schema.Struct({
  userId: described(
    "Ignored: the credential identifies the caller. Any text is allowed.",
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200))
  ),
  workspaceId: described(
    "Id of a workspace: the answer has only the profiles of this workspace and the built-in profiles.",
    Schema.optional(Id)
  ),
  summary: described("Whether to leave out the properties.", flagQuery(false)),
  profileSlugs: Schema.optional(
    slugs.annotations({
      jsonSchema: { type: "string", description: "Slugs of the wanted profiles, separated by commas." }
    })
  ),
  sort: described(
    "Order of the kinds and roles: most used first, or by name.",
    Schema.optional(Schema.Literal("usage", "name"))
  ),
  groups: described(
    "Whether the answer also groups the profiles by origin.",
    Schema.optional(Schema.Literal("origin"))
  ),
  fill: described("Whether to count how many of the latest entities have a value for each property.", flagQuery(false))
})
export type DiscoveryQuery = typeof DiscoveryQuery.Type

/**
 * For one kind of entity: how many of its latest entities have a value for each property. `sampleSize` is the number of
 * entities that the store examined.
 */
export interface KindFill {
  readonly sampleSize: number
  readonly filled: Readonly<Record<string, number>>
}

const orderOf = (uiHints: Readonly<Record<string, unknown>>): number | null => {
  const order = uiHints["displayOrder"] ?? uiHints["order"]
  return typeof order === "number" && Number.isFinite(order) ? order : null
}

/**
 * Returns the profile and its ancestors, nearest first (`line`). `missing` is the id of the first ancestor that cannot
 * be found. It is null if every ancestor was found.
 */
const lineOf = (profile: StoredProfile, all: ReadonlyMap<string, StoredProfile>) => {
  const line = [profile]
  let next = profile.parentProfileId
  while (next !== null && !line.some(({ id }) => id === next)) {
    const parent = all.get(next)
    if (parent === undefined) return { line, missing: next }
    line.push(parent)
    next = parent.parentProfileId
  }
  return { line, missing: null }
}

/**
 * Returns the properties that the profile and its ancestors define. If several of them define the same property in one
 * space, returns the definition of the nearest profile.
 */
export const propertiesOf = (
  profile: StoredProfile,
  all: ReadonlyMap<string, StoredProfile>,
  definitions: ReadonlyArray<PropertyDef>,
  fill: KindFill | null
): Pick<DiscoveredProfile, "properties" | "schemaUnavailable"> => {
  const { line, missing } = lineOf(profile, all)
  const nearest = new Map<string, { readonly def: PropertyDef; readonly owner: StoredProfile }>()
  for (const owner of line.toReversed()) {
    for (const def of definitions.filter(({ profileId }) => profileId === owner.id)) {
      nearest.set(`${def.workspaceId ?? ""} ${def.slug}`, { def, owner })
    }
  }
  const properties = [...nearest.values()]
    .map(({ def, owner }) => ({ def, owner, order: orderOf(def.uiHints) }))
    .toSorted(
      (one, other) =>
        (one.order ?? Number.MAX_SAFE_INTEGER) - (other.order ?? Number.MAX_SAFE_INTEGER) ||
        (one.def.slug < other.def.slug ? -1 : one.def.slug > other.def.slug ? 1 : one.def.id < other.def.id ? -1 : 1)
    )
    .map(({ def, order, owner }, at): DiscoveredProperty => {
      const { constraints, defaultValue, displayName, options, required, slug, targetProfileSlug, type } =
        definitionOf(def)
      return {
        slug,
        displayName,
        type,
        options,
        required,
        defaultValue: profile.defaultValues[slug] ?? owner.defaultValues[slug] ?? defaultValue,
        constraints,
        targetProfileSlug,
        schemaScope: def.workspaceId === null ? "user" : "workspace",
        workspaceId: def.workspaceId,
        displayOrder: order ?? at,
        uiHints: def.uiHints,
        ...(fill === null ? {} : { fill: { filled: fill.filled[slug] ?? 0, sampleSize: fill.sampleSize } })
      }
    })
  return missing === null
    ? { properties }
    : {
        properties,
        schemaUnavailable: {
          reason: "parent_not_readable",
          resolvedProfileId: missing,
          hint: "You cannot read the parent profile, so the inherited properties are missing."
        }
      }
}
