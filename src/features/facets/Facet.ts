/** A facet: a role that an entity plays in addition to its kind, with the properties of the role. */
import { Schema } from "effect"
import { described, CallerId, JsonObject, JsonObjectInput } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { inputOf } from "../records/RecordInputs.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"
import { ProfileSlug } from "../profiles/ProfileSlug.ts"

export const Facet = recordType("facet", {
  identifier: "Facet",
  subject: "facet",
  table: "entity_facets",
  unique: { fields: ["entityId", "slug"] },
  fields: {
    entityId: Id,
    /** The slug of the profile of the facet. */
    slug: ProfileSlug,
    properties: described("Values of the facet's properties, by slug.", JsonObject)
  },
  title: ({ slug }) => slug ?? ""
})
export type Facet = typeof Facet.schema.Type

/**
 * The input that adds or changes a facet. It is not derived from the record, because the path names the entity, `slug`
 * has another name, and a part of the properties is enough.
 */
export const FacetDraft = inputOf(
  "FacetDraft",
  {
    userId: Schema.optional(CallerId),
    slug: Schema.optional(ProfileSlug),
    profileSlug: described("Another name for `slug`.", Schema.optional(ProfileSlug)),
    properties: described(
      "New properties of the facet; the pod merges them into the existing properties of the facet.",
      Schema.optional(JsonObjectInput)
    ),
    ...updateDetails
  },
  { slug: "company", properties: { website: "https://example.com" } }
)
export type FacetDraft = typeof FacetDraft.Type
