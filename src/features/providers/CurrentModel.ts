/**
 * The language model that the pod uses at this moment: the active provider, else the one of the settings. What is active is
 * asked again after a second, so every pod over one database follows a change, and at once after a change in this process.
 */
import { Context, Effect, Layer, Option, Scope } from "effect"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import { EncryptionKey } from "../../platform/Encryption.ts"
import { LanguageModel } from "../../platform/models/LanguageModel.ts"
import type { ModelOptions } from "../../platform/models/ModelEndpoint.ts"
import { ModelFailure } from "../../platform/models/ModelFailure.ts"
import type { TokenStore } from "../../platform/models/TokenStore.ts"
import { Outbound } from "../outbound/OutboundCall.ts"
import { endpointOfActive } from "./ProviderEndpoint.ts"
import { type ActiveProvider, ProviderStore } from "./ProviderStore.ts"

const freshMs = 1_000

type Model = typeof LanguageModel.Service

interface Known {
  /** The provider and the version of it and of its key; undefined for the settings. */
  readonly key: string | undefined
  readonly model: Model
  readonly askedMs: number
}

/** A provider whose key cannot be opened. The settings do not take its place, because texts would go to another service. */
const unopened = (provider: ActiveProvider): Model => {
  const failure = new ModelFailure({ code: "provider_auth" })
  return { model: Effect.succeed(provider.model), complete: () => failure, chat: () => failure, probe: failure }
}

export class CurrentModel extends Context.Tag("pod/CurrentModel")<
  CurrentModel,
  {
    readonly get: Effect.Effect<Model>
    /** Has the store asked at the next call. */
    readonly forget: Effect.Effect<void>
  }
>() {
  static readonly layer = ({ tokensPerDay }: Pick<ModelOptions, "tokensPerDay">) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const store = yield* ProviderStore
        const ofSettings = yield* LanguageModel
        const outbound = yield* Outbound
        const podKey = yield* EncryptionKey
        const context = yield* Effect.context<TokenStore>()
        const alone = yield* Effect.makeSemaphore(1)
        let known: Known = { key: undefined, model: ofSettings, askedMs: Number.NEGATIVE_INFINITY }

        const modelOf = (provider: ActiveProvider): Effect.Effect<Model> =>
          Option.match(endpointOfActive(outbound, podKey, provider), {
            onNone: () => Effect.succeed(unopened(provider)),
            // The layer opens nothing that has to be closed; each call closes its connection.
            onSome: (endpoint) =>
              Effect.flatMap(Scope.make(), (scope) =>
                Layer.buildWithScope(LanguageModel.layer(endpoint, tokensPerDay), scope)
              ).pipe(Effect.provide(context), Effect.map(Context.get(LanguageModel)))
          })

        const isFresh = (nowMs: number) => nowMs - known.askedMs < freshMs

        const ask = Effect.gen(function* () {
          const nowMs = yield* elapsedMs
          if (isFresh(nowMs)) return known.model
          const provider = yield* store.active("chat")
          const key = provider === null ? undefined : `${provider.id} ${provider.stamp}`
          const isSame = key === known.key
          const model = isSame ? known.model : provider === null ? ofSettings : yield* modelOf(provider)
          known = { key, model, askedMs: nowMs }
          return model
        }).pipe(
          // A database that does not answer fails the call elsewhere; here the model stays the one that was last found.
          Effect.catchAllCause((cause) =>
            Effect.as(Effect.logWarning("The active model provider could not be read.", cause), known.model)
          )
        )

        return {
          get: alone.withPermits(1)(ask),
          forget: Effect.sync(() => {
            known = { ...known, askedMs: Number.NEGATIVE_INFINITY }
          })
        }
      })
    )

  /** The port that features call, over whatever model is current. */
  static readonly languageModel = Layer.effect(
    LanguageModel,
    Effect.map(CurrentModel, ({ get }) => ({
      model: Effect.flatMap(get, ({ model }) => model),
      complete: (messages) => Effect.flatMap(get, (model) => model.complete(messages)),
      chat: (messages, options) => Effect.flatMap(get, (model) => model.chat(messages, options)),
      probe: Effect.flatMap(get, ({ probe }) => probe)
    }))
  )
}

/** The language model of the settings and the providers together. */
export const layer = (options: ModelOptions) =>
  CurrentModel.languageModel.pipe(
    Layer.provideMerge(CurrentModel.layer(options)),
    Layer.provide(LanguageModel.layer(options.languageModel, options.tokensPerDay))
  )
