/** A brand: the visual style and the voice of a space, or of some of its projects. */
import { Schema } from "effect"
import { example, described, WorkspaceId, ProjectId, pageQuery } from "../../doors/Fields.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"
import { BrandTokens, singleLine } from "./Tokens.ts"

const Name = singleLine(255).pipe(Schema.minLength(1))
const ProjectIds = Schema.Array(Schema.UUID).pipe(Schema.maxItems(100))

export const Brand = recordType("brand", {
  identifier: "Brand",
  subject: "brand",
  table: "brands",
  references: { projectIds: { targetType: "project" } },
  order: "created",
  fields: {
    name: Name,
    isDefault: described("The default brand of its space. A space has at most one.", Schema.Boolean),
    projectIds: described("The projects it is for.", ProjectIds),
    tokens: described("Colours, fonts, sizes and voice.", BrandTokens)
  }
})
export type Brand = typeof Brand.schema.Type

export const BrandDraft = example(
  Schema.Struct({
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
    name: Name,
    isDefault: described(
      "Whether it is used when no other brand is chosen.",
      Schema.optionalWith(Schema.Boolean, { default: () => false })
    ),
    projectIds: described("Within these projects only.", Schema.optionalWith(ProjectIds, { default: () => [] })),
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

export const BrandChange = Schema.Struct({
  name: Schema.optional(Name),
  isDefault: described("Whether it is used when no other brand is chosen.", Schema.optional(Schema.Boolean)),
  projectIds: described("Within these projects only.", Schema.optional(ProjectIds)),
  tokens: described("They replace all existing tokens.", Schema.optional(BrandTokens)),
  ...updateDetails
}).annotations({ identifier: "BrandChange" })

export const BrandQuery = Schema.Struct({ workspaceId: Schema.optional(WorkspaceId), ...pageQuery(50, 200) })

export const KitFormat = Schema.Literal("json", "css", "frame-md").annotations({ identifier: "BrandFormat" })
export type KitFormat = typeof KitFormat.Type

export const KitQuery = Schema.Struct({
  format: described("The output format.", Schema.optionalWith(KitFormat, { default: () => "json" as const })),
  projectId: Schema.optional(ProjectId),
  workspaceId: Schema.optional(WorkspaceId)
})
export type KitQuery = typeof KitQuery.Type

/** A brand as text, for a person or program that uses it. */
export const BrandKit = Schema.Struct({
  format: described("The output format.", KitFormat),
  content: described("The text.", Schema.String),
  hash: described("SHA-256 of the content, in hexadecimal. The same brand gives the same hash.", Schema.String),
  brandWorkspaceId: described("Where the brand was found.", Schema.NullOr(Schema.UUID)),
  brandIdentityId: described("The brand that was chosen.", Schema.UUID),
  projectId: Schema.NullOr(ProjectId),
  resolvedVia: described("Why this brand was chosen.", Schema.Literal("project", "default-flag", "only-brand"))
}).annotations({ identifier: "BrandKit" })
export type BrandKit = typeof BrandKit.Type
