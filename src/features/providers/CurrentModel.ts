/**
 * The language model that the pod uses at this moment: the model of the active provider, or the model from the
 * settings.
 */
import { Context, Effect, Layer, Option, Scope } from "effect"
import { EncryptionKeys } from "../../platform/Encryption.ts"
import { LanguageModel } from "../../platform/models/LanguageModel.ts"
import type { ModelOptions } from "../../platform/models/ModelEndpoint.ts"
import { ModelFailure } from "../../platform/models/ModelFailure.ts"
import type { TokenStore } from "../../platform/models/TokenStore.ts"
import { Outbound } from "../outbound/OutboundCall.ts"
import { followActive, type FollowedProvider } from "./ActiveProviders.ts"
import { endpointOfActive } from "./ProviderEndpoint.ts"
import type { ActiveProvider } from "./ProviderStore.ts"

type Model = typeof LanguageModel.Service

/**
 * Makes the model of a provider whose key cannot be decrypted. Each call of this model fails. The pod does not use the
 * model from the settings instead, because it would then send texts to another service.
 */
const unusableModel = (provider: ActiveProvider): Model => {
  const failure = new ModelFailure({ code: "provider_auth" })
  return { model: Effect.succeed(provider.model), complete: () => failure, chat: () => failure, probe: failure }
}

export class CurrentModel extends Context.Tag("pod/CurrentModel")<CurrentModel, FollowedProvider<Model>>() {
  static readonly layer = ({ tokensPerDay }: Pick<ModelOptions, "tokensPerDay">) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const outbound = yield* Outbound
        const podKeys = yield* EncryptionKeys
        const context = yield* Effect.context<TokenStore>()
        return yield* followActive("chat", yield* LanguageModel, (provider) =>
          Option.match(endpointOfActive(outbound, podKeys, provider), {
            onNone: () => Effect.succeed(unusableModel(provider)),
            // The layer opens nothing that somebody must close later, because each call closes its own connection. So
            // the code never closes the scope of the layer.
            onSome: (endpoint) =>
              Effect.flatMap(Scope.make(), (scope) =>
                Layer.buildWithScope(LanguageModel.layer(endpoint, tokensPerDay), scope)
              ).pipe(Effect.provide(context), Effect.map(Context.get(LanguageModel)))
          })
        )
      })
    )

  /** The model that other features call. Each call goes to the model that is current at that moment. */
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

/** Makes the layer for the current language model: the model of the active provider, or the model from the settings. */
export const layer = (options: ModelOptions) =>
  CurrentModel.languageModel.pipe(
    Layer.provideMerge(CurrentModel.layer(options)),
    Layer.provide(LanguageModel.layer(options.languageModel, options.tokensPerDay))
  )
