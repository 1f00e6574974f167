/**
 * A model provider that the owner configures while the pod runs. The secret key of the provider is an entry of the
 * owner's vault.
 */
import { Schema } from "effect"
import { described } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf } from "../records/RecordInputs.ts"
import { recordType, updateDetails } from "../records/RecordType.ts"

const Kind = Schema.Literal("chat", "embedding").annotations({
  identifier: "ModelKind",
  description:
    "`chat`: the model answers messages. `embedding`: the model makes vectors of texts, with which search compares meanings."
})
export type ProviderKind = typeof Kind.Type
const Url = Schema.String.pipe(Schema.maxLength(2048)).annotations({
  identifier: "ModelUrl",
  description: "Base URL of an OpenAI-compatible service, without `/chat/completions` or `/embeddings`."
})
const CredentialId = Schema.NullOr(Id).annotations({
  identifier: "ModelCredentialId",
  description: "Id of the vault entry with the key. The entry must be for the host of `url`. Null means no key."
})

export const Provider = recordType("provider", {
  identifier: "ModelProvider",
  subject: "provider",
  table: "model_providers",
  unique: { fields: ["kind"], when: "isActive" },
  fields: {
    name: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))),
    kind: writable(Kind, {
      default: "chat",
      change: false
    }),
    url: writable(Url),
    model: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200))),
    credentialId: writable(CredentialId, { default: null }),
    isActive: described(
      "Whether the pod uses this provider instead of the model in the pod's settings.",
      Schema.Boolean
    )
  },
  visibility: "own",
  order: "created"
})
export type Provider = typeof Provider.schema.Type

export const ProviderDraft = inputOf("ModelProviderDraft", Provider.draft, {
  name: "Local model",
  url: "http://localhost:11434/v1",
  model: "small"
})
export const ProviderChange = inputOf(
  "ModelProviderChange",
  { ...Provider.change, expectedVersion: updateDetails.expectedVersion },
  { model: "medium" }
)

export const ProviderQuery = Schema.Struct(pageQuery("providers", 50, 200))

export const ProviderProbe = Schema.Struct({
  isReady: described("Whether the service answered and accepted the key.", Schema.Boolean),
  code: described("Code of the failure; null without a failure.", Schema.NullOr(Schema.String)),
  message: Schema.NullOr(Schema.String)
}).annotations({ identifier: "ModelProviderProbe" })
