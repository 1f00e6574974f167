/**
 * Remembers which provider of a kind is active. After a change on this node, the next call reads the active provider
 * again from the database. Otherwise, a call reads it again if the last read is older than a second. So a change also
 * reaches the other nodes.
 */
import { Effect } from "effect"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import type { ProviderKind } from "./Provider.ts"
import { type ActiveProvider, ProviderStore } from "./ProviderStore.ts"

const freshMs = 1_000

export interface FollowedProvider<A> {
  readonly get: Effect.Effect<A>
  /** Makes the next call read the active provider from the store again. */
  readonly forget: Effect.Effect<void>
}

/**
 * Makes the effect that finds the current model: the model of the active provider, or the model from the settings if no
 * provider is active. The effect calls `modelOf` once for each version of a provider and of the provider's secret key.
 */
export const followActive = <A>(
  kind: ProviderKind,
  ofSettings: A,
  modelOf: (provider: ActiveProvider) => Effect.Effect<A>
): Effect.Effect<FollowedProvider<A>, never, ProviderStore> =>
  Effect.gen(function* () {
    const store = yield* ProviderStore
    const semaphore = yield* Effect.makeSemaphore(1)
    /**
     * `key` identifies the active provider, the version of the provider and the version of the provider's secret key.
     * It is undefined if the model comes from the settings.
     */
    let known: { readonly key: string | undefined; readonly model: A; readonly askedMs: number } = {
      key: undefined,
      model: ofSettings,
      askedMs: Number.NEGATIVE_INFINITY
    }

    // How often somebody has changed a provider on this node. A read that began before a change is not fresh after it.
    let changes = 0

    const isFresh = (nowMs: number) => nowMs - known.askedMs < freshMs

    const ask = Effect.gen(function* () {
      const nowMs = yield* elapsedMs
      if (isFresh(nowMs)) return known.model
      const changesBefore = changes
      const provider = yield* store.active(kind)
      const key = provider === null ? undefined : `${provider.id} ${provider.stamp}`
      const isSame = key === known.key
      const model = isSame ? known.model : provider === null ? ofSettings : yield* modelOf(provider)
      known = { key, model, askedMs: changes === changesBefore ? nowMs : Number.NEGATIVE_INFINITY }
      return model
    }).pipe(
      // If the database does not answer, this effect returns the model of the last successful read. The old model does
      // no harm, because a call of the model also needs the database.
      Effect.catchAllCause((cause) =>
        Effect.as(Effect.logWarning("The active model provider could not be read.", cause), known.model)
      )
    )

    return {
      get: semaphore.withPermits(1)(ask),
      forget: Effect.sync(() => {
        changes += 1
        known = { ...known, askedMs: Number.NEGATIVE_INFINITY }
      })
    }
  })
