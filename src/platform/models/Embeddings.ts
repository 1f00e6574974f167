/** Embeddings: vectors of texts. Texts with a similar meaning have vectors with a similar direction. */
import { Context, Effect, Layer } from "effect"
import type { EmbeddingEndpoint } from "./ModelEndpoint.ts"
import { type ModelFailure, ModelNotConfigured } from "./ModelFailure.ts"
import { probeModel } from "./ModelHttp.ts"
import { embedWith } from "./OpenAiEmbeddings.ts"
import type { TokenStore } from "./TokenStore.ts"

export interface EmbeddingModel {
  /** The name under which the vectors of the model are stored. Undefined if the pod has no model. */
  readonly model: string | undefined
  /**
   * Makes one vector for each text, in the order of the texts. All vectors have the same length. They are not
   * normalised.
   */
  readonly embed: (
    texts: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Float32Array>, ModelFailure | ModelNotConfigured>
  /** Checks whether the service answers and accepts the key. The check uses no tokens. */
  readonly probe: Effect.Effect<void, ModelFailure | ModelNotConfigured>
}

export class Embeddings extends Context.Tag("pod/Embeddings")<
  Embeddings,
  {
    /**
     * Returns the model that the pod uses now. Code that stores or compares vectors must use the returned model until
     * its work is done, because vectors of two models cannot be compared.
     */
    readonly get: Effect.Effect<EmbeddingModel>
  }
>() {
  /** Builds the service with one model, which stays the same as long as the pod runs. */
  static readonly layer = (endpoint: EmbeddingEndpoint | undefined) =>
    Layer.effect(
      this,
      Effect.map(embeddingModel(endpoint), (model) => ({ get: Effect.succeed(model) }))
    )
}

const notConfigured = new ModelNotConfigured({ service: "embeddings" })

/**
 * Returns a model of an OpenAI-compatible service. If `endpoint` is undefined, every call fails with
 * `ModelNotConfigured`.
 */
export const embeddingModel = (
  endpoint: EmbeddingEndpoint | undefined
): Effect.Effect<EmbeddingModel, never, TokenStore> =>
  endpoint === undefined
    ? Effect.succeed({ model: undefined, embed: () => notConfigured, probe: notConfigured })
    : Effect.map(embedWith(endpoint), (embed) => ({ model: nameOf(endpoint), embed, probe: probeModel(endpoint) }))

/**
 * Returns the name for stored vectors. The name contains the length of the vectors that the settings state, because
 * vectors of different lengths cannot be compared.
 */
const nameOf = ({ dimensions, model }: EmbeddingEndpoint) =>
  dimensions === undefined ? model : `${model}/${dimensions}`
