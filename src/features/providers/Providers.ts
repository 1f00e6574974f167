/**
 * The service of model providers. Only the owner of the pod configures providers, and only one provider of each kind is
 * active.
 */
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { beforeAnswer } from "../../doors/BeforeAnswer.ts"
import { type Forbidden, invalid } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { probeModel } from "../../platform/models/ModelHttp.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Outbound } from "../outbound/OutboundCall.ts"
import { receiverRules } from "../outbound/ReceiverAddress.ts"
import { podOwnerOnly } from "../people/PodOwner.ts"
import type { Deleted } from "../gate/Changers.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { WriteFailure } from "../records/RecordOperations.ts"
import { Vaults } from "../vault/Vaults.ts"
import { CurrentEmbeddings } from "./CurrentEmbeddings.ts"
import { CurrentModel } from "./CurrentModel.ts"
import {
  Provider,
  type ProviderChange,
  type ProviderDraft,
  type ProviderProbe,
  type ProviderQuery
} from "./Provider.ts"
import { endpointOf } from "./ProviderEndpoint.ts"

// The maximum number of active providers that the pod reads. More than one provider of a kind can be active only after
// simultaneous activations.
const activeMax = 10

const noKey = {
  isReady: false,
  code: "provider_auth",
  message: "Your vault has no entry with a key for the address of this provider."
}

export class Providers extends Context.Tag("pod/Providers")<
  Providers,
  {
    readonly list: (page: typeof ProviderQuery.Type) => Effect.Effect<Page<Provider>, Forbidden, Reach>
    readonly create: (draft: typeof ProviderDraft.Type) => Effect.Effect<Provider, WriteFailure, Reach>
    readonly update: (id: string, change: typeof ProviderChange.Type) => Effect.Effect<Provider, WriteFailure, Reach>
    readonly probe: (id: string) => Effect.Effect<typeof ProviderProbe.Type, WriteFailure, Reach>
    readonly activate: (id: string) => Effect.Effect<Provider, WriteFailure, Reach>
    readonly deactivate: (id: string) => Effect.Effect<Provider, WriteFailure, Reach>
    readonly remove: (id: string) => Effect.Effect<Deleted, WriteFailure, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const vaults = yield* Vaults
      const outbound = yield* Outbound
      const { exclusively } = yield* Transaction
      const chat = yield* CurrentModel
      const embeddings = yield* CurrentEmbeddings
      const { urlFault } = receiverRules(outbound.allowed)
      const ownerOnly = podOwnerOnly("can configure model providers")
      const records = yield* governedRecords(Provider, {
        isForPeople: true,
        check: ({ url }) => {
          const fault = url === undefined ? undefined : urlFault(url)
          return Effect.zipRight(ownerOnly, fault === undefined ? Effect.void : Effect.fail(invalid("url", fault)))
        }
      })

      const mayWrite = Effect.zipRight(ownerOnly, records.mayCreate(null))

      const checkCredential = Effect.fnUntraced(function* (url: string, credentialId: string | null) {
        if (credentialId === null || (yield* vaults.isForAddress(credentialId, url))) return
        return yield* invalid(
          "credentialId",
          "Use an entry of your vault whose `url` has the same scheme, host and port as the `url` of the provider."
        )
      })

      /**
       * Runs `work`. After the commit of `work`, the next call of a model in this process reads the active provider
       * again.
       */
      const followed = <A, E>(work: Effect.Effect<A, E, Reach>) =>
        Effect.zipLeft(work, beforeAnswer(Effect.zipRight(chat.forget, embeddings.forget)))

      const written = Effect.fnUntraced(function* (id: string, isActive: boolean) {
        yield* mayWrite
        const provider = yield* records.get(id)
        if (provider.isActive === isActive) return provider
        if (isActive) {
          const where = { kind: provider.kind, isActive: true }
          const { items } = yield* records.list({ where, limit: activeMax })
          yield* Effect.forEach(items, (other) => records.update(other.id, { isActive: false }))
        }
        return yield* records.update(id, { isActive })
      })

      /**
       * Reads the secret key of a provider. Returns None if the provider needs a key and the key cannot be decrypted.
       */
      const keyOf = ({
        credentialId,
        url
      }: Provider): Effect.Effect<Option.Option<Option.Option<Redacted.Redacted>>, never, Reach> =>
        credentialId === null
          ? Effect.succeedSome(Option.none())
          : vaults.credentialFor(credentialId, url).pipe(
              Effect.map((found) => (Option.isNone(found) ? Option.none() : Option.some(found))),
              Effect.catchTag("Conflict", () => Effect.succeedNone)
            )

      return {
        list: (page) => Effect.zipRight(ownerOnly, records.list(page)),
        create: Effect.fnUntraced(function* (draft) {
          yield* mayWrite
          yield* checkCredential(draft.url, draft.credentialId)
          return yield* records.create({ fields: { ...draft, isActive: false } })
        }),
        update: (id, { expectedVersion, ...change }) =>
          followed(
            Effect.gen(function* () {
              yield* mayWrite
              const { credentialId, url, version } = yield* records.get(id)
              yield* checkCredential(
                change.url ?? url,
                change.credentialId === undefined ? credentialId : change.credentialId
              )
              return yield* records.update(id, change, { expectedVersion: expectedVersion ?? version })
            })
          ),
        probe: Effect.fnUntraced(function* (id) {
          yield* mayWrite
          const provider = yield* records.get(id)
          const key = yield* keyOf(provider)
          if (Option.isNone(key)) return noKey
          return yield* Effect.match(probeModel(endpointOf(outbound, provider, key.value)), {
            onSuccess: () => ({ isReady: true, code: null, message: null }),
            onFailure: ({ code, message }) => ({ isReady: false, code, message })
          })
        }),
        // Without the lock, two simultaneous activations would each find no other active provider.
        activate: (id) => followed(exclusively("active model providers", written(id, true))),
        deactivate: (id) => followed(written(id, false)),
        remove: (id) => followed(Effect.zipRight(mayWrite, records.remove(id)))
      }
    })
  )
}
