/** A language model. It answers messages with a text. */
import { Context, Effect, Layer } from "effect"
import type { ModelEndpoint } from "./ModelEndpoint.ts"
import { type ModelFailure, ModelNotConfigured } from "./ModelFailure.ts"
import { chatWith } from "./OpenAiChat.ts"
import { probeModel } from "./ModelHttp.ts"

export interface Message {
  readonly role: "system" | "user" | "assistant"
  readonly content: string
}

export interface Completion {
  readonly text: string
  /** The tokens of the messages and the text together. The number is estimated if the service does not count them. */
  readonly tokens: number
}

export class LanguageModel extends Context.Tag("pod/LanguageModel")<
  LanguageModel,
  {
    /** The name of the model. Undefined if the pod has no model. */
    readonly model: string | undefined
    /** Returns the whole text of the model. Fails if the service cut the text, and then returns no part of it. */
    readonly complete: (
      messages: ReadonlyArray<Message>
    ) => Effect.Effect<Completion, ModelFailure | ModelNotConfigured>
    /** Checks whether the service answers and accepts the key. The check uses no tokens. */
    readonly probe: Effect.Effect<void, ModelFailure | ModelNotConfigured>
  }
>() {
  /** Calls an OpenAI-compatible service. If `endpoint` is undefined, every call fails with ModelNotConfigured. */
  static readonly layer = (endpoint: ModelEndpoint | undefined, tokensPerDay: number | undefined) => {
    const absent = new ModelNotConfigured({ service: "language model" })
    return endpoint === undefined
      ? Layer.succeed(this, { model: undefined, complete: () => absent, probe: absent })
      : Layer.effect(
          this,
          Effect.map(chatWith(endpoint, tokensPerDay), (complete) => ({
            model: endpoint.model,
            complete,
            probe: probeModel(endpoint)
          }))
        )
  }
}
