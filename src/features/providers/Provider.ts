/** A model provider that the owner configures while the pod runs. Its key is an entry of the owner's vault. */
import { Schema } from "effect"
import { described, example } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { recordType, updateDetails } from "../records/RecordType.ts"

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))
const Kind = described(
  "What the model does. `chat`: it answers messages. `embedding`: it makes vectors of texts, with which search compares meanings.",
  Schema.Literal("chat", "embedding")
)
export type ProviderKind = typeof Kind.Type
const Url = described(
  "Base URL of an OpenAI-compatible service, without `/chat/completions` or `/embeddings`.",
  Schema.String.pipe(Schema.maxLength(2048))
)
const Model = described("Name of the model.", Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)))
const CredentialId = described(
  "Vault entry with the key, for the same host as `url`; null means no key.",
  Schema.NullOr(Id)
)

export const Provider = recordType("provider", {
  identifier: "ModelProvider",
  subject: "provider",
  table: "model_providers",
  unique: { fields: ["kind"], when: "isActive" },
  fields: {
    name: Name,
    kind: Kind,
    url: Url,
    model: Model,
    credentialId: CredentialId,
    isActive: described("Whether the pod uses this provider instead of its settings.", Schema.Boolean)
  },
  visibility: "own",
  order: "created"
})
export type Provider = typeof Provider.schema.Type

export const ProviderDraft = example(
  Schema.Struct({
    name: Name,
    kind: Schema.optionalWith(Kind, { default: () => "chat" as const }),
    url: Url,
    model: Model,
    credentialId: Schema.optional(CredentialId)
  }).annotations({ identifier: "ModelProviderDraft" }),
  { name: "Local model", url: "http://localhost:11434/v1", model: "small" }
)

export const ProviderChange = example(
  Schema.Struct({
    name: Schema.optional(Name),
    url: Schema.optional(Url),
    model: Schema.optional(Model),
    credentialId: Schema.optional(CredentialId),
    expectedVersion: updateDetails.expectedVersion
  }).annotations({ identifier: "ModelProviderChange" }),
  { model: "medium" }
)

export const ProviderQuery = Schema.Struct(pageQuery(50, 200))

export const ProviderProbe = Schema.Struct({
  isReady: described("Whether the service answered and accepted the key.", Schema.Boolean),
  code: described("Code of the failure; null without a failure.", Schema.NullOr(Schema.String)),
  message: described("The meaning of `code`, as a sentence.", Schema.NullOr(Schema.String))
}).annotations({ identifier: "ModelProviderProbe" })
