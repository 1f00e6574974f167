/** The settings of a workspace: its model providers, its sources, and its public part. */
import { Schema } from "effect"
import { described, JsonObject } from "../../doors/Fields.ts"
import { addressFault } from "./ProviderAddress.ts"

export const ProviderId = Schema.Literal("ollama", "openrouter", "anthropic", "openai").annotations({
  identifier: "ProviderId"
})
export type ProviderId = typeof ProviderId.Type

const Text = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))

/** A model provider: a URL and a model, without a secret key. */
const Provider = Schema.Struct({
  id: ProviderId,
  enabled: described("Whether the provider is in use.", Schema.optional(Schema.Boolean)),
  baseUrl: described("Base URL of the provider.", Schema.optional(Schema.String.pipe(Schema.maxLength(2000)))),
  defaultModel: described("Model for requests that name no model.", Schema.optional(Text))
})
  .pipe(
    Schema.filter(({ baseUrl, id }) => {
      const message = baseUrl === undefined ? undefined : addressFault(baseUrl, id === "ollama")
      return message === undefined || { path: ["baseUrl"], message }
    })
  )
  .annotations({ identifier: "RoutedProvider" })

export const ProviderRouting = Schema.Struct({
  mode: described(
    "Whether models run locally or at a provider.",
    Schema.optional(Schema.Literal("local", "provider", "hybrid"))
  ),
  defaultProvider: described("Model provider for requests that name none.", Schema.optional(ProviderId)),
  fallbackProvider: described("Model provider if the default provider fails.", Schema.optional(ProviderId)),
  providers: described(
    "Model providers.",
    Schema.optional(
      Schema.Array(Provider).pipe(
        Schema.maxItems(4),
        Schema.filter(
          (all) => new Set(all.map(({ id }) => id)).size === all.length || "Each provider may occur only once."
        )
      )
    )
  ),
  syncToService: described("A flag for clients; the pod only stores it.", Schema.optional(Schema.Boolean))
}).annotations({ identifier: "ProviderRouting" })
export type ProviderRouting = typeof ProviderRouting.Type

/** The name that stands for the title of an entity in the list of public fields. */
export const titleField = "title"

const SourceRole = Schema.String.pipe(Schema.pattern(/^[a-z0-9][a-z0-9_-]*$/), Schema.maxLength(64))
const FieldName = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(120))

const projection = {
  enabled: described("Whether a part of the workspace is public.", Schema.Boolean),
  roles: described(
    "Slugs of the entity kinds and roles whose entities are public.",
    Schema.Array(SourceRole).pipe(Schema.maxItems(64))
  )
}
const Names = Schema.Array(FieldName).pipe(Schema.maxItems(200))

/** The part of a workspace that everybody is allowed to read. */
export const PublicProjection = Schema.Struct({
  ...projection,
  fields: described(
    "Names of the public properties; the name `title` stands for the title. Only these fields, the id and a public role of an entity are public.",
    Names
  )
}).annotations({ identifier: "PublicProjection" })
export type PublicProjection = typeof PublicProjection.Type

/**
 * The request to change the public part. If `fields` is absent, the pod keeps the stored list of fields. The list of a
 * new workspace is empty.
 */
export const PublicProjectionDraft = Schema.Struct({
  ...projection,
  fields: described("Names of the public properties.", Schema.optional(Names))
})

/**
 * The languages whose word forms the search knows. `simple` is for all other languages, for which the search compares
 * words without changing them.
 */
export const SearchLanguage = Schema.Literal("english", "german", "french", "spanish", "simple").annotations({
  identifier: "SearchLanguage",
  description: "Language of the texts of the workspace: the search compares word stems in this language."
})

/** All fields of a workspace that people can change, with their current values. */
export const WorkspaceFields = Schema.Struct({
  name: Text,
  description: Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000))),
  providerRouting: described("Model providers of the workspace.", Schema.NullOr(ProviderRouting)),
  sourceRoles: described("Roles of each data source.", JsonObject),
  defaultSources: described("Default data source of each role.", JsonObject),
  publicProjection: described(
    "The public part of the workspace, which everybody may read.",
    Schema.NullOr(PublicProjection)
  ),
  searchLanguage: SearchLanguage
})
export type WorkspaceFields = typeof WorkspaceFields.Type

/** The fields that are stored together as JSON: all fields except the name and the description. */
export type WorkspaceSettings = Omit<WorkspaceFields, "name" | "description">

export const settingsWith = (stored: Partial<WorkspaceSettings>): WorkspaceSettings => ({
  providerRouting: stored.providerRouting ?? null,
  sourceRoles: stored.sourceRoles ?? {},
  defaultSources: stored.defaultSources ?? {},
  publicProjection: stored.publicProjection ?? null,
  searchLanguage: stored.searchLanguage ?? "english"
})
