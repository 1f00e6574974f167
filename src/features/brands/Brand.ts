/** A brand: what the things of a space, or of some of its projects, look and sound like. */
import { Schema } from "effect"
import { pageQuery } from "../../doors/Fields.ts"
import { circumstances, recordType } from "../records/RecordType.ts"
import { BrandTokens, lineOf } from "./Tokens.ts"

const Name = lineOf(255).pipe(Schema.minLength(1))
const ProjectIds = Schema.Array(Schema.UUID).pipe(Schema.maxItems(100))

export const Brand = recordType("brand", {
  identifier: "Brand",
  subject: "brand",
  table: "brands",
  references: { projectIds: { targetType: "project" } },
  order: "created",
  fields: {
    name: Name,
    /** What a space looks like where nothing else is said. One of a space at most. */
    isDefault: Schema.Boolean,
    /** The projects it is for. */
    projectIds: ProjectIds,
    tokens: BrandTokens
  }
})
export type Brand = typeof Brand.schema.Type

export const BrandDraft = Schema.Struct({
  workspaceId: Schema.optional(Schema.NullOr(Schema.UUID)),
  name: Name,
  isDefault: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  projectIds: Schema.optionalWith(ProjectIds, { default: () => [] }),
  tokens: Schema.optionalWith(BrandTokens, {
    default: () => ({ colors: {}, fonts: {}, sizes: {}, logo: null, voice: null })
  }),
  reasoning: circumstances.reasoning,
  sessionId: circumstances.sessionId
}).annotations({ identifier: "BrandDraft" })

export const BrandChange = Schema.Struct({
  name: Schema.optional(Name),
  isDefault: Schema.optional(Schema.Boolean),
  projectIds: Schema.optional(ProjectIds),
  /** Stand in the place of all that were there. */
  tokens: Schema.optional(BrandTokens),
  ...circumstances
}).annotations({ identifier: "BrandChange" })

export const BrandQuery = Schema.Struct({ workspaceId: Schema.optional(Schema.UUID), ...pageQuery(50, 200) })

export const KitFormat = Schema.Literal("json", "css", "frame-md")
export type KitFormat = typeof KitFormat.Type

export const KitQuery = Schema.Struct({
  format: Schema.optionalWith(KitFormat, { default: () => "json" as const }),
  projectId: Schema.optional(Schema.UUID),
  workspaceId: Schema.optional(Schema.UUID)
})
export type KitQuery = typeof KitQuery.Type

/** A brand written out for whoever makes something in it. */
export const BrandKit = Schema.Struct({
  format: KitFormat,
  content: Schema.String,
  /** SHA-256 of the content, in hexadecimal: the same brand has the same one. */
  hash: Schema.String,
  brandWorkspaceId: Schema.NullOr(Schema.UUID),
  brandIdentityId: Schema.UUID,
  projectId: Schema.NullOr(Schema.UUID),
  resolvedVia: Schema.Literal("project", "default-flag", "only-brand")
}).annotations({ identifier: "BrandKit" })
export type BrandKit = typeof BrandKit.Type
