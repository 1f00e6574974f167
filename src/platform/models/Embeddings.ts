/** Embeddings: from texts to vectors whose directions are near where the texts mean something near. */
import { Context, Effect, Layer } from "effect"
import type { EmbeddingEndpoint } from "./ModelEndpoint.ts"
import { type ModelFailure, ModelNotConfigured } from "./ModelFailure.ts"
import { probeModel } from "./ModelHttp.ts"
import { embedWith } from "./OpenAiEmbeddings.ts"

export class Embeddings extends Context.Tag("pod/Embeddings")<
  Embeddings,
  {
    /** The name of the model, to be kept beside its vectors; undefined if there is none. */
    readonly model: string | undefined
    /** One vector for each text, in their order, all of one length. As the model gives them: not brought to length one. */
    readonly embed: (
      texts: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Float32Array>, ModelFailure | ModelNotConfigured>
    /** Whether the service answers and accepts the key. */
    readonly probe: Effect.Effect<void, ModelFailure | ModelNotConfigured>
  }
>() {
  /** Calls an OpenAI-compatible service; without an endpoint every call fails with ModelNotConfigured. */
  static readonly layer = (endpoint: EmbeddingEndpoint | undefined) => {
    const absent = new ModelNotConfigured({ service: "embeddings" })
    return endpoint === undefined
      ? Layer.succeed(this, { model: undefined, embed: () => absent, probe: absent })
      : Layer.effect(
          this,
          Effect.map(embedWith(endpoint), (embed) => ({
            model: endpoint.model,
            embed,
            probe: probeModel(endpoint)
          }))
        )
  }
}
