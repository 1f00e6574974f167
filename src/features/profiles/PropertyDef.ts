/** The definition of a property: the rules for its values in the entities of one profile, within one space. */
import { Schema } from "effect"
import { described, CallerId, WorkspaceId, JsonObject, objectInput, UiHints, UiHintsInput } from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf, inWorkspace } from "../records/RecordInputs.ts"
import { createDetails, recordType, updateDetails } from "../records/RecordType.ts"
import { PropertyTypeInput } from "./PropertyRules.ts"
import { type PropertyDefinition, PropertyType } from "./PropertyValue.ts"

const Constraints = JsonObject.annotations({
  identifier: "PropertyConstraints",
  description: "Rules for a value, such as `required`, `options` and `defaultValue`."
})
const Slug = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(64), Schema.pattern(/^[A-Za-z0-9][\w-]*$/))

export const PropertyDef = recordType("property_def", {
  identifier: "PropertyDef",
  subject: "property_def",
  table: "property_defs",
  unique: { fields: ["profileId", "slug"] },
  fields: {
    profileId: writable(Id, { change: false }),
    slug: writable(Slug, { change: false }),
    displayName: writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(255))), { default: null }),
    valueType: writable(PropertyType, {
      meaning: "Type of the property's values.",
      input: PropertyTypeInput,
      change: false
    }),
    constraints: writable(Constraints, { input: objectInput(Constraints), default: {} }),
    uiHints: writable(UiHints, { input: UiHintsInput, default: {} })
  },
  title: ({ slug }) => slug ?? ""
})
export type PropertyDef = typeof PropertyDef.schema.Type

export type StoredDefinition = Pick<PropertyDef, "slug" | "displayName" | "valueType" | "constraints" | "uiHints">

const isTexts = Schema.is(Schema.Array(Schema.String))

/**
 * Converts a stored definition to the form that the property checks use. The options come from the constraints. If the
 * constraints have no options, they come from `uiHints`.
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

export const PropertyDefDraft = inputOf(
  "PropertyDefDraft",
  {
    userId: Schema.optional(CallerId),
    ...inWorkspace,
    ...PropertyDef.draft,
    overlay: described("`true` makes `workspaceId` required and has no other effect.", Schema.optional(Schema.Boolean)),
    ...createDetails
  },
  {
    profileId: "00000000-0000-7000-8000-000000000005",
    slug: "due",
    valueType: "date",
    constraints: { min: "2020-01-01" }
  }
)
export type PropertyDefDraft = typeof PropertyDefDraft.Type

/**
 * A change of a definition. The profile, the slug and the type cannot change, because existing entities were validated
 * with them.
 */
export const PropertyDefChange = inputOf(
  "PropertyDefChange",
  { userId: Schema.optional(CallerId), ...PropertyDef.change, ...updateDetails },
  { displayName: "Due on" }
)
export type PropertyDefChange = typeof PropertyDefChange.Type

const filters = {
  workspaceId: Schema.optional(WorkspaceId),
  profileId: Schema.optional(Id)
}

export const PropertyDefQuery = Schema.Struct({ ...filters, ...pageQuery("propertyDefs", 200, 1000) })
export const PropertyDefInput = Schema.Struct({ ...filters, ...pageInput("propertyDefs", 200, 1000) })
