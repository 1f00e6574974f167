/** One model service as the settings name it. */
import { Option, type Redacted } from "effect"
import type { SettingsShape } from "../settings/Settings.ts"

export interface ModelEndpoint {
  /** The URL without `/chat/completions` and without a slash at its end. */
  readonly url: string
  readonly model: string
  readonly key: Option.Option<Redacted.Redacted>
  /** The longest time of a call, including its retries. */
  readonly timeoutMs: number
}

export interface ModelOptions {
  readonly languageModel: ModelEndpoint | undefined
  /** The number of tokens for one day. Undefined means no limit. */
  readonly tokensPerDay: number | undefined
}

/** A pod that calls no model. */
export const noModels: ModelOptions = { languageModel: undefined, tokensPerDay: undefined }

export const modelOptionsOf = (settings: SettingsShape): ModelOptions => {
  const { languageModelName, languageModelUrl } = settings
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
    tokensPerDay: Option.getOrUndefined(settings.languageModelDailyTokens)
  }
}
