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

/**
 * How the model chooses its words, in the fields of the OpenAI API. The service gets the fields unchanged. A service can
 * ignore a field that it does not know.
 */
export interface Sampling {
  readonly temperature?: number
  readonly top_p?: number
  readonly seed?: number
  readonly presence_penalty?: number
  readonly frequency_penalty?: number
  /** The service ends the text before it would write one of these texts. */
  readonly stop?: string | ReadonlyArray<string>
}

/** Options for the text that the model writes. */
export interface ChatOptions {
  /** The name of another model of the same service, to use instead of the model of the settings. */
  readonly model?: string
  readonly sampling?: Sampling
  /** The service ends the text after at most this many tokens, even in the middle of a sentence. */
  readonly tokensMax?: number
  /** Gets each piece of the text when it arrives. After the first piece the request is never sent again. */
  readonly onText?: (text: string) => Effect.Effect<void>
}

export interface Completion {
  readonly text: string
  /** The tokens of the messages and the text together. The number is estimated if the service does not count them. */
  readonly tokens: number
  /** The tokens that the service counted. Undefined if the service does not count them. */
  readonly counted: { readonly prompt: number; readonly completion: number } | undefined
  /** True if the service ended the text early, because the text had the number of tokens that the caller allows. */
  readonly isCut: boolean
}

export class LanguageModel extends Context.Tag("pod/LanguageModel")<
  LanguageModel,
  {
    /** The name of the model. Undefined if the pod has no model. */
    readonly model: Effect.Effect<string | undefined>
    /** Returns the whole text of the model. If the service ended the text early, the call fails and returns no text. */
    readonly complete: (
      messages: ReadonlyArray<Message>
    ) => Effect.Effect<Completion, ModelFailure | ModelNotConfigured>
    /** Writes a text like `complete`, and passes each piece of it to `onText` of the options. */
    readonly chat: (
      messages: ReadonlyArray<Message>,
      options: ChatOptions
    ) => Effect.Effect<Completion, ModelFailure | ModelNotConfigured>
    /** Checks whether the service answers and accepts the key. The check uses no tokens. */
    readonly probe: Effect.Effect<void, ModelFailure | ModelNotConfigured>
  }
>() {
  /** Calls an OpenAI-compatible service. If `endpoint` is undefined, every call fails with `ModelNotConfigured`. */
  static readonly layer = (endpoint: ModelEndpoint | undefined, tokensPerDay: number | undefined) => {
    const notConfigured = new ModelNotConfigured({ service: "language model" })
    return endpoint === undefined
      ? Layer.succeed(this, {
          model: Effect.as(Effect.void, undefined),
          complete: () => notConfigured,
          chat: () => notConfigured,
          probe: notConfigured
        })
      : Layer.effect(
          this,
          Effect.map(chatWith(endpoint, tokensPerDay), (chat) => ({
            model: Effect.succeed(endpoint.model),
            complete: (messages) => chat(messages, {}),
            chat,
            probe: probeModel(endpoint)
          }))
        )
  }
}
