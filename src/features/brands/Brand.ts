/** A brand: the visual style and the voice of a space, or of some of its projects. */
import { Schema } from "effect"
import { described, WorkspaceId, ProjectId } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { changeOf, draftOf } from "../records/RecordInputs.ts"
import { recordType } from "../records/RecordType.ts"
import { BrandTokens, singleLine } from "./Tokens.ts"

export const Brand = recordType("brand", {
  identifier: "Brand",
  subject: "brand",
  table: "brands",
  references: { projectIds: { targetType: "project" } },
  order: "created",
  fields: {
    name: writable(singleLine(255).pipe(Schema.minLength(1))),
    isDefault: writable(Schema.Boolean, {
      meaning: "Whether the brand is the default of its space.",
      default: false
    }),
    projectIds: writable(Schema.Array(Id).pipe(Schema.maxItems(100)), {
      meaning: "Ids of the projects that use the brand.",
      default: []
    }),
    tokens: writable(BrandTokens, {
      default: { colors: {}, fonts: {}, sizes: {}, logo: null, voice: null }
    })
  }
})
export type Brand = typeof Brand.schema.Type

export const BrandDraft = draftOf(Brand, {
  name: "Acme",
  isDefault: true,
  tokens: { colors: { primary: "#0055ff" } }
})
export const BrandChange = changeOf(Brand, { name: "Acme Harbour" })

export const BrandQuery = Schema.Struct({ workspaceId: Schema.optional(WorkspaceId), ...pageQuery("brands", 50, 200) })

export const KitFormat = Schema.Literal("json", "css", "frame-md").annotations({ identifier: "BrandFormat" })
export type KitFormat = typeof KitFormat.Type

export const KitQuery = Schema.Struct({
  format: described("Format of the answer.", Schema.optionalWith(KitFormat, { default: () => "json" as const })),
  projectId: Schema.optional(ProjectId),
  workspaceId: Schema.optional(WorkspaceId)
})
export type KitQuery = typeof KitQuery.Type

/** The kit of a brand: the brand as a text, for people or programs that produce texts and pages in this brand. */
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
