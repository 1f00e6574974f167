/** What a workspace is set up with: where its models are, what feeds it, and what of it is public. */
import { Schema } from "effect"
import { described, JsonObject } from "../../doors/Fields.ts"
import { addressFault } from "./ProviderAddress.ts"

export const ProviderId = Schema.Literal("ollama", "openrouter", "anthropic", "openai")
export type ProviderId = typeof ProviderId.Type

const Text = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))

/** An address and a model, never a secret. */
const Provider = Schema.Struct({
  id: ProviderId,
  enabled: described("Whether it is in use.", Schema.optional(Schema.Boolean)),
  baseUrl: described("Where the provider is called.", Schema.optional(Schema.String.pipe(Schema.maxLength(2000)))),
  defaultModel: described("The model where none is named.", Schema.optional(Text))
}).pipe(
  Schema.filter(({ baseUrl, id }) => {
    const message = baseUrl === undefined ? undefined : addressFault(baseUrl, id === "ollama")
    return message === undefined || { path: ["baseUrl"], message }
  })
)

export const ProviderRouting = Schema.Struct({
  mode: described(
    "Whether models run here or elsewhere.",
    Schema.optional(Schema.Literal("local", "provider", "hybrid"))
  ),
  defaultProvider: described("The provider where none is named.", Schema.optional(ProviderId)),
  fallbackProvider: described("The provider where the first fails.", Schema.optional(ProviderId)),
  providers: described(
    "The providers.",
    Schema.optional(
      Schema.Array(Provider).pipe(
        Schema.maxItems(4),
        Schema.filter((all) => new Set(all.map(({ id }) => id)).size === all.length || "Name each provider once.")
      )
    )
  ),
  syncToService: described("Whether it is handed on.", Schema.optional(Schema.Boolean))
}).annotations({ identifier: "ProviderRouting" })
export type ProviderRouting = typeof ProviderRouting.Type

/** The name under which the title of an entity is let out. */
export const titleField = "title"

const Role = Schema.String.pipe(Schema.pattern(/^[a-z0-9][a-z0-9_-]*$/), Schema.maxLength(64))
const FieldName = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(120))

const projection = {
  enabled: described("Whether it is in use.", Schema.Boolean),
  roles: described(
    "Kinds of entities, and roles they play: only entities of one of these are public.",
    Schema.Array(Role).pipe(Schema.maxItems(64))
  )
}
const Names = Schema.Array(FieldName).pipe(Schema.maxItems(200))

/** What of a workspace everybody may read. */
export const PublicProjection = Schema.Struct({
  ...projection,
  fields: described("Names of properties, and `title`. Nothing else of an entity is public, apart from its id.", Names)
}).annotations({ identifier: "PublicProjection" })
export type PublicProjection = typeof PublicProjection.Type

/** Left out, `fields` stays as it was; at first it is empty. */
export const PublicProjectionDraft = Schema.Struct({
  ...projection,
  fields: described("Which properties are let out.", Schema.optional(Names))
})

/** All that people change of a workspace, with how it stands. */
export const WorkspaceFields = Schema.Struct({
  name: Text,
  description: Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000))),
  providerRouting: described("Which model provider serves it.", Schema.NullOr(ProviderRouting)),
  sourceRoles: described("The roles that each source plays.", JsonObject),
  defaultSources: described("The default source of each role.", JsonObject),
  publicProjection: described("What everybody may read.", Schema.NullOr(PublicProjection))
})
export type WorkspaceFields = typeof WorkspaceFields.Type

/** Those of them that are kept together as JSON. */
export type WorkspaceSettings = Omit<WorkspaceFields, "name" | "description">

export const settingsWith = (kept: Partial<WorkspaceSettings>): WorkspaceSettings => ({
  providerRouting: kept.providerRouting ?? null,
  sourceRoles: kept.sourceRoles ?? {},
  defaultSources: kept.defaultSources ?? {},
  publicProjection: kept.publicProjection ?? null
})
