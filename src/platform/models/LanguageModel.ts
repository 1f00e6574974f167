/** A language model: from messages to a text. */
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
  /** Of the messages and the text together; estimated where the service does not count. */
  readonly tokens: number
}

export class LanguageModel extends Context.Tag("pod/LanguageModel")<
  LanguageModel,
  {
    /** The name of the model; undefined if there is none. */
    readonly model: string | undefined
    /** The whole text. Never a part of one: a text that was cut is a failure. */
    readonly complete: (
      messages: ReadonlyArray<Message>
    ) => Effect.Effect<Completion, ModelFailure | ModelNotConfigured>
    /** Whether the service answers and accepts the key. Spends no tokens. */
    readonly probe: Effect.Effect<void, ModelFailure | ModelNotConfigured>
  }
>() {
  /** Calls an OpenAI-compatible service; without an endpoint every call fails with ModelNotConfigured. */
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
