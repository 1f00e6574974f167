/** The address and the limits of a model service, from the settings. */
import { Option, type Redacted } from "effect"
import type { SettingsShape } from "../settings/Settings.ts"

export interface ModelEndpoint {
  /** The base URL of the service, without `/chat/completions` and without a slash at its end. */
  readonly url: string
  readonly model: string
  readonly key: Option.Option<Redacted.Redacted>
  /** The longest time of a call, including its retries. */
  readonly timeoutMs: number
  /** The function that calls a service whose address a person chose. Undefined for the address from the settings. */
  readonly fetch?: (
    url: string,
    request: {
      readonly method: string
      readonly headers: Record<string, string>
      readonly body?: string
      readonly signal: AbortSignal
    }
  ) => Promise<Response>
}

/** A service that makes vectors of texts. Its URL is without `/embeddings`. */
export interface EmbeddingEndpoint extends ModelEndpoint {
  /** How many numbers a vector must have. Undefined means that any number is accepted. */
  readonly dimensions: number | undefined
  /** The maximum number of tokens for embeddings in one day. Undefined means no limit. */
  readonly tokensPerDay: number | undefined
}

export interface ModelOptions {
  readonly languageModel: ModelEndpoint | undefined
  /** The maximum number of tokens for the language model in one day. Undefined means no limit. */
  readonly tokensPerDay: number | undefined
  /** The maximum number of tokens in a prompt of the chat. */
  readonly promptTokens: number
  readonly embeddings: EmbeddingEndpoint | undefined
  /** The share of the vectors in the score of a search, from 0 to 1. */
  readonly vectorShare: number
}

export const vectorShareDefault = 0.2
export const promptTokensDefault = 32_000

/** The options of a pod that calls no model. */
export const noModels: ModelOptions = {
  languageModel: undefined,
  tokensPerDay: undefined,
  promptTokens: promptTokensDefault,
  embeddings: undefined,
  vectorShare: vectorShareDefault
}

export const modelOptionsOf = (settings: SettingsShape): ModelOptions => {
  const { embeddingModel, embeddingUrl, languageModelName, languageModelUrl } = settings
  return {
    languageModel:
      Option.isSome(languageModelUrl) && Option.isSome(languageModelName)
        ? {
            url: languageModelUrl.value,
            model: languageModelName.value,
            key: settings.languageModelKey,
            timeoutMs: settings.languageModelTimeoutSeconds * 1000
          }
        : undefined,
    tokensPerDay: Option.getOrUndefined(settings.languageModelDailyTokens),
    promptTokens: settings.languageModelPromptTokens,
    embeddings:
      Option.isSome(embeddingUrl) && Option.isSome(embeddingModel)
        ? {
            url: embeddingUrl.value,
            model: embeddingModel.value,
            key: settings.embeddingKey,
            timeoutMs: settings.embeddingTimeoutSeconds * 1000,
            dimensions: Option.getOrUndefined(settings.embeddingDimensions),
            tokensPerDay: Option.getOrUndefined(settings.embeddingDailyTokens)
          }
        : undefined,
    vectorShare: settings.embeddingPercent / 100
  }
}
