/**
 * Follows which provider of a kind is active. It is asked again after a second, so every pod over one database follows a change, and at
 * once after a change in this process.
 */
import { Effect } from "effect"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import type { ProviderKind } from "./Provider.ts"
import { type ActiveProvider, ProviderStore } from "./ProviderStore.ts"

const freshMs = 1_000

export interface Followed<A> {
  readonly get: Effect.Effect<A>
  /** Forgets the providers in memory, so that the next call reads them from the store. */
  readonly forget: Effect.Effect<void>
}

/** The model of the active provider, else the one of the settings. `modelOf` is called once for each version of a provider and its key. */
export const followActive = <A>(
  kind: ProviderKind,
  ofSettings: A,
  modelOf: (provider: ActiveProvider) => Effect.Effect<A>
): Effect.Effect<Followed<A>, never, ProviderStore> =>
  Effect.gen(function* () {
    const store = yield* ProviderStore
    const alone = yield* Effect.makeSemaphore(1)
    /** `key`: the provider and the version of it and of its key; undefined for the settings. */
    let known = { key: undefined as string | undefined, model: ofSettings, askedMs: Number.NEGATIVE_INFINITY }

    const isFresh = (nowMs: number) => nowMs - known.askedMs < freshMs

    const ask = Effect.gen(function* () {
      const nowMs = yield* elapsedMs
      if (isFresh(nowMs)) return known.model
      const provider = yield* store.active(kind)
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
