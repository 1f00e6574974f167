/** The definition of a property: the rules for its values in the entities of one profile, within one space. */
import { Schema } from "effect"
import { example, described, CallerId, WorkspaceId, JsonObject, JsonObjectInput } from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"
import { PropertyTypeInput, type PropertyDefinition, PropertyType } from "./PropertyRules.ts"

/** The slug of the property, which is its name in entities. The paths of faults contain it. */
const Slug = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(64), Schema.pattern(/^[A-Za-z0-9][\w-]*$/))
const DisplayName = Schema.NullOr(Schema.String.pipe(Schema.maxLength(255)))
export const PropertyDef = recordType("property_def", {
  identifier: "PropertyDef",
  subject: "property_def",
  table: "property_defs",
  unique: { fields: ["profileId", "slug"] },
  fields: {
    profileId: described("Id of the profile.", Id),
    slug: Slug,
    displayName: DisplayName,
    valueType: described("Type of the values.", PropertyType),
    constraints: described(
      "Constraints on a value: those of its type, and `required`, `defaultValue`, `options` and `targetProfileSlug`.",
      JsonObject
    ),
    uiHints: described("Display hints for clients.", JsonObject)
  },
  title: ({ slug }) => slug ?? ""
})
export type PropertyDef = typeof PropertyDef.schema.Type

/** The stored fields of a definition. */
export type StoredDefinition = Pick<PropertyDef, "slug" | "displayName" | "valueType" | "constraints" | "uiHints">

const isTexts = Schema.is(Schema.Array(Schema.String))

/**
 * A stored definition in the form that the property checks use. The options come from the constraints, or from the
 * hints if the constraints have none.
 */
export const definitionOf = ({
  constraints,
  displayName,
  slug,
  uiHints,
  valueType
}: StoredDefinition): PropertyDefinition => {
  const { defaultValue = null, options = uiHints["options"], required, targetProfileSlug, ...rest } = constraints
  return {
    slug,
    type: valueType,
    displayName: displayName ?? slug,
    required: required === true,
    options: isTexts(options) ? options : [],
    defaultValue,
    constraints: rest,
    targetProfileSlug: typeof targetProfileSlug === "string" ? targetProfileSlug : null
  }
}

export const PropertyDefDraft = example(
  Schema.Struct({
    userId: Schema.optional(CallerId),
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
    profileId: described("Id of the profile.", Id),
    slug: Slug,
    displayName: Schema.optionalWith(DisplayName, { default: () => null }),
    valueType: described("Type of the values.", PropertyTypeInput),
    constraints: described("Constraints on a value.", Schema.optionalWith(JsonObjectInput, { default: () => ({}) })),
    uiHints: described("Display hints for clients.", Schema.optionalWith(JsonObjectInput, { default: () => ({}) })),
    overlay: described("`true` makes `workspaceId` required and has no other effect.", Schema.optional(Schema.Boolean)),
    ...updateDetails
  }).annotations({ identifier: "PropertyDefDraft" }),
  {
    profileId: "00000000-0000-7000-8000-000000000005",
    slug: "due",
    valueType: "date",
    constraints: { min: "2020-01-01" }
  }
)
export type PropertyDefDraft = typeof PropertyDefDraft.Type

/**
 * A change of a definition. It cannot change the profile, slug and type, because existing entities were checked against
 * them.
 */
export const PropertyDefChange = example(
  Schema.Struct({
    userId: Schema.optional(CallerId),
    displayName: Schema.optional(DisplayName),
    constraints: described("Constraints on a value.", Schema.optional(JsonObjectInput)),
    uiHints: described("Display hints for clients.", Schema.optional(JsonObjectInput)),
    ...updateDetails
  }).annotations({ identifier: "PropertyDefChange" }),
  { displayName: "Due on" }
)
export type PropertyDefChange = typeof PropertyDefChange.Type

const filters = {
  workspaceId: Schema.optional(WorkspaceId),
  profileId: described("Id of the profile.", Schema.optional(Id))
}

export const PropertyDefQuery = Schema.Struct({ ...filters, ...pageQuery(200, 1000) })
export const PropertyDefInput = Schema.Struct({ ...filters, ...pageInput(200, 1000) })
