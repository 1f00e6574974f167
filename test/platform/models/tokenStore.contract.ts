/**
 * The rules for every store that counts how many tokens the language models and embedding models use in a day. The
 * tests run in memory, on PGlite and on PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { type ServiceDay, TokenStore } from "../../../src/platform/models/TokenStore.ts"
import type { Stores } from "../../support/stores.ts"

const on = (day: string, service: ServiceDay["service"] = "language model") => ({ service, day })

export const tokenStoreContract = (stores: Layer.Layer<Stores>) => {
  it.effect("concurrent calls to a model together use no more tokens than the daily limit", () =>
    Effect.gen(function* () {
      const { take } = yield* TokenStore
      const taken = yield* Effect.forEach(
        Array.from({ length: 20 }, () => 15),
        (tokens) => take(on("2026-01-01"), tokens, 100),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        taken.filter((isTaken) => isTaken),
        6
      )
      assert.isTrue(yield* take(on("2026-01-01"), 10, 100))
      assert.isFalse(yield* take(on("2026-01-01"), 1, 100))
      assert.isTrue(yield* take(on("2026-01-02"), 100, 100))
      assert.isFalse(yield* take(on("2026-01-03"), 101, 100))
      assert.isTrue(yield* take(on("2026-01-03"), 100, 100))
      assert.isTrue(yield* take(on("2026-01-03", "embeddings"), 100, 100))
    }).pipe(Effect.provide(stores))
  )

  it.effect(
    "reserved tokens that a call to a model did not use are free for other calls, and tokens above the reservation count too",
    () =>
      Effect.gen(function* () {
        const { correct, take } = yield* TokenStore
        yield* correct(on("2026-02-01"), 30)
        assert.isFalse(yield* take(on("2026-02-01"), 71, 100))
        assert.isTrue(yield* take(on("2026-02-01"), 70, 100))
        yield* correct(on("2026-02-01"), -20)
        assert.isTrue(yield* take(on("2026-02-01"), 20, 100))
        yield* correct(on("2026-02-01"), 500)
        assert.isFalse(yield* take(on("2026-02-01"), 1, 600))
        assert.isTrue(yield* take(on("2026-02-01"), 9, 609))
      }).pipe(Effect.provide(stores))
  )
}
