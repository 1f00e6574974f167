/** The model that the pod uses at a moment: a change of the active provider counts from its answer on. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { followActive } from "../../../src/features/providers/ActiveProviders.ts"
import { type ActiveProvider, ProviderStore } from "../../../src/features/providers/ProviderStore.ts"

const provider: ActiveProvider = {
  id: "one",
  ownerId: "owner",
  stamp: "1",
  url: "https://models.example.com",
  model: "small",
  credential: null
}

describe("the current model", () => {
  it.effect("a read of the active provider that began before a change does not count after the change", () =>
    Effect.gen(function* () {
      const isReading = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      let stored: ActiveProvider | null = provider
      const active = () =>
        Effect.gen(function* () {
          const found = stored
          yield* Deferred.succeed(isReading, undefined)
          yield* Deferred.await(mayEnd)
          return found
        })
      const { forget, get } = yield* Effect.provide(
        followActive("chat", "of the settings", ({ model }) => Effect.succeed(model)),
        Layer.succeed(ProviderStore, { active })
      )
      const early = yield* Effect.fork(get)
      yield* Deferred.await(isReading)
      stored = null
      yield* forget
      yield* Deferred.succeed(mayEnd, undefined)
      assert.strictEqual(yield* early, "small")
      assert.strictEqual(yield* get, "of the settings")
    })
  )
})
