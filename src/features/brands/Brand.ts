/** A brand: the visual style and the voice of a space, or of some of its projects. */
import { Schema } from "effect"
import { example, described, WorkspaceId, ProjectId } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"
import { BrandTokens, singleLine } from "./Tokens.ts"

const Name = singleLine(255).pipe(Schema.minLength(1))
const ProjectIds = Schema.Array(Id).pipe(Schema.maxItems(100))

export const Brand = recordType("brand", {
  identifier: "Brand",
  subject: "brand",
  table: "brands",
  references: { projectIds: { targetType: "project" } },
  order: "created",
  fields: {
    name: Name,
    isDefault: described("Whether this is the default brand of its space. A space has at most one.", Schema.Boolean),
    projectIds: described("Ids of the projects that use the brand.", ProjectIds),
    tokens: described("Colours, fonts, sizes and voice.", BrandTokens)
  }
})
export type Brand = typeof Brand.schema.Type

export const BrandDraft = example(
  Schema.Struct({
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
    name: Name,
    isDefault: described(
      "Whether this brand is the default brand.",
      Schema.optionalWith(Schema.Boolean, { default: () => false })
    ),
    projectIds: described(
      "Ids of the projects that use the brand.",
      Schema.optionalWith(ProjectIds, { default: () => [] })
    ),
    tokens: described(
      "Colours, fonts, sizes and voice.",
      Schema.optionalWith(BrandTokens, {
        default: () => ({ colors: {}, fonts: {}, sizes: {}, logo: null, voice: null })
      })
    ),
    reasoning: updateDetails.reasoning,
    sessionId: updateDetails.sessionId
  }).annotations({ identifier: "BrandDraft" }),
  { name: "Acme", isDefault: true, tokens: { colors: { primary: "#0055ff" } } }
)

export const BrandChange = example(
  Schema.Struct({
    name: Schema.optional(Name),
    isDefault: described("Whether this brand is the default brand.", Schema.optional(Schema.Boolean)),
    projectIds: described("Ids of the projects that use the brand.", Schema.optional(ProjectIds)),
    tokens: described("Tokens of the brand; they replace all existing tokens.", Schema.optional(BrandTokens)),
    ...updateDetails
  }).annotations({ identifier: "BrandChange" }),
  { name: "Acme Harbour" }
)

export const BrandQuery = Schema.Struct({ workspaceId: Schema.optional(WorkspaceId), ...pageQuery(50, 200) })

export const KitFormat = Schema.Literal("json", "css", "frame-md").annotations({ identifier: "BrandFormat" })
export type KitFormat = typeof KitFormat.Type

export const KitQuery = Schema.Struct({
  format: described("Format of the answer.", Schema.optionalWith(KitFormat, { default: () => "json" as const })),
  projectId: Schema.optional(ProjectId),
  workspaceId: Schema.optional(WorkspaceId)
})
export type KitQuery = typeof KitQuery.Type

/** The kit of a brand: the brand as a text for a person or program that uses the brand. */
export const BrandKit = Schema.Struct({
  format: described("Format of the answer.", KitFormat),
  content: described("Brand in the chosen format.", Schema.String),
  hash: described("SHA-256 of the content, in hexadecimal. The same brand gives the same hash.", Schema.String),
  brandWorkspaceId: described("Workspace of the brand; null means the personal space.", Schema.NullOr(Id)),
  brandIdentityId: described("Id of the chosen brand.", Id),
  projectId: Schema.NullOr(ProjectId),
  resolvedVia: described("Why the pod chose this brand.", Schema.Literal("project", "default-flag", "only-brand"))
}).annotations({ identifier: "BrandKit" })
export type BrandKit = typeof BrandKit.Type
