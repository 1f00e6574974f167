/** The language model that the pod uses at this moment: the active provider, else the one of the settings. */
import { Context, Effect, Layer, Option, Scope } from "effect"
import { EncryptionKey } from "../../platform/Encryption.ts"
import { LanguageModel } from "../../platform/models/LanguageModel.ts"
import type { ModelOptions } from "../../platform/models/ModelEndpoint.ts"
import { ModelFailure } from "../../platform/models/ModelFailure.ts"
import type { TokenStore } from "../../platform/models/TokenStore.ts"
import { Outbound } from "../outbound/OutboundCall.ts"
import { followActive, type Followed } from "./ActiveProviders.ts"
import { endpointOfActive } from "./ProviderEndpoint.ts"
import type { ActiveProvider } from "./ProviderStore.ts"

type Model = typeof LanguageModel.Service

/** A provider whose key cannot be opened. The settings do not take its place, because texts would go to another service. */
const unopened = (provider: ActiveProvider): Model => {
  const failure = new ModelFailure({ code: "provider_auth" })
  return { model: Effect.succeed(provider.model), complete: () => failure, chat: () => failure, probe: failure }
}

export class CurrentModel extends Context.Tag("pod/CurrentModel")<CurrentModel, Followed<Model>>() {
  static readonly layer = ({ tokensPerDay }: Pick<ModelOptions, "tokensPerDay">) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const outbound = yield* Outbound
        const podKey = yield* EncryptionKey
        const context = yield* Effect.context<TokenStore>()
        return yield* followActive("chat", yield* LanguageModel, (provider) =>
          Option.match(endpointOfActive(outbound, podKey, provider), {
            onNone: () => Effect.succeed(unopened(provider)),
            // The layer opens nothing that has to be closed; each call closes its connection.
            onSome: (endpoint) =>
              Effect.flatMap(Scope.make(), (scope) =>
                Layer.buildWithScope(LanguageModel.layer(endpoint, tokensPerDay), scope)
              ).pipe(Effect.provide(context), Effect.map(Context.get(LanguageModel)))
          })
        )
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

/** The language model that is in use: that of the active provider, or else that of the settings. */
export const layer = (options: ModelOptions) =>
  CurrentModel.languageModel.pipe(
    Layer.provideMerge(CurrentModel.layer(options)),
    Layer.provide(LanguageModel.layer(options.languageModel, options.tokensPerDay))
  )
