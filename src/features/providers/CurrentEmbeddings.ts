/**
 * The embedding model that the pod uses at this moment: the model of the active provider, or the model from the
 * settings.
 */
import { createHash } from "node:crypto"
import { Context, Effect, Layer, Option } from "effect"
import { EncryptionKeys } from "../../platform/Encryption.ts"
import { type EmbeddingModel, embeddingModel, Embeddings } from "../../platform/models/Embeddings.ts"
import type { ModelOptions } from "../../platform/models/ModelEndpoint.ts"
import { ModelFailure } from "../../platform/models/ModelFailure.ts"
import type { TokenStore } from "../../platform/models/TokenStore.ts"
import { Outbound } from "../outbound/OutboundCall.ts"
import { followActive, type FollowedProvider } from "./ActiveProviders.ts"
import { endpointOfActive } from "./ProviderEndpoint.ts"
import type { ActiveProvider } from "./ProviderStore.ts"

/**
 * Returns the name under which the pod stores the vectors of a provider. The name contains the URL, because two
 * services can use one name for different models. The name does not contain the secret key of the provider, so the
 * vectors stay valid when the key changes.
 */
const nameOf = ({ model, url }: ActiveProvider): string =>
  `${model} at ${createHash("sha256").update(url).digest("hex").slice(0, 12)}`

/**
 * Makes the model of a provider whose key cannot be decrypted. Each call of this model fails. The pod does not use the
 * model from the settings instead, because it would then send texts to another service.
 */
const unusableModel = (model: string): EmbeddingModel => {
  const failure = new ModelFailure({ code: "provider_auth" })
  return { model, embed: () => failure, probe: failure }
}

export class CurrentEmbeddings extends Context.Tag("pod/CurrentEmbeddings")<
  CurrentEmbeddings,
  FollowedProvider<EmbeddingModel>
>() {
  static readonly layer = ({ embeddings }: Pick<ModelOptions, "embeddings">) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const outbound = yield* Outbound
        const podKeys = yield* EncryptionKeys
        const context = yield* Effect.context<TokenStore>()
        const tokensPerDay = embeddings?.tokensPerDay
        return yield* followActive("embedding", yield* embeddingModel(embeddings), (provider) => {
          const model = nameOf(provider)
          return Option.match(endpointOfActive(outbound, podKeys, provider), {
            onNone: () => Effect.succeed(unusableModel(model)),
            onSome: (endpoint) =>
              embeddingModel({ ...endpoint, dimensions: undefined, tokensPerDay }).pipe(
                Effect.provide(context),
                Effect.map((answer) => ({ ...answer, model }))
              )
          })
        })
      })
    )

  /** The model that other features call. Each call goes to the model that is current at that moment. */
  static readonly embeddings = Layer.effect(
    Embeddings,
    Effect.map(CurrentEmbeddings, ({ get }) => ({ get }))
  )
}

/** Makes the layer for the embedding model. The model comes from a provider or from the settings. */
export const layer = (options: ModelOptions) =>
  CurrentEmbeddings.embeddings.pipe(Layer.provideMerge(CurrentEmbeddings.layer(options)))
