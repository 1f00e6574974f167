/** The cache of credentials: when it looks a credential up, and when it must forget the result. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import type { PresentedCredential, Principal } from "../../../src/doors/Principal.ts"
import { makeCredentialCache } from "../../../src/features/access/CredentialCache.ts"
import { aPrincipal } from "../../support/reach.ts"

const key: PresentedCredential = { kind: "bearer", secret: "pod_secret" }

/** Makes another object with the same secret, because each request makes its own object. */
const again = (): PresentedCredential => ({ ...key })

/** A look-up whose result the test sets later. `begun` counts how often the look-up began. */
const aLookUp = Effect.map(Deferred.make<Principal, "revoked">(), (result) => {
  let begun = 0
  const effect = Effect.suspend(() => {
    begun += 1
    return Deferred.await(result)
  })
  return { result, effect, begun: () => begun }
})

const aCache = () => makeCredentialCache<"revoked">(() => undefined)

/** Starts an effect in the background, and lets the effect run until it waits for something. */
const started = <A, E>(effect: Effect.Effect<A, E>) => Effect.tap(Effect.fork(effect), () => Effect.yieldNow())

describe("the cache of credentials", () => {
  it.effect(
    "if several requests present the same uncached credential, the pod looks the credential up once, and each request gets the result",
    () =>
      Effect.gen(function* () {
        const cache = aCache()
        const look = yield* aLookUp
        const fibers = yield* Effect.forEach([1, 2, 3], () => started(cache.load(again(), 0, look.effect)))
        const principal = aPrincipal()
        yield* Deferred.succeed(look.result, principal)
        for (const fiber of fibers) assert.strictEqual(yield* Fiber.join(fiber), principal)
        assert.strictEqual(look.begun(), 1)
        assert.strictEqual(cache.recall(key, 0, 0), principal)
      })
  )

  it.effect(
    "if the look-up finds that a credential is invalid, each waiting request is refused, and the cache stores nothing",
    () =>
      Effect.gen(function* () {
        const cache = aCache()
        const look = yield* aLookUp
        const fibers = yield* Effect.forEach([1, 2], () => started(cache.load(again(), 0, look.effect)))
        yield* Deferred.fail(look.result, "revoked")
        for (const fiber of fibers) assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail("revoked" as const))
        assert.strictEqual(look.begun(), 1)
        assert.isUndefined(cache.recall(key, 0, Infinity))
      })
  )

  it.effect(
    "if a later look-up finds that a credential is invalid, the cache removes the caller that it had stored for this credential",
    () =>
      Effect.gen(function* () {
        const cache = aCache()
        yield* cache.load(key, 0, Effect.succeed(aPrincipal()))
        yield* Effect.exit(cache.load(key, 5, Effect.fail("revoked" as const)))
        assert.isUndefined(cache.recall(key, 5, Infinity))
      })
  )

  const changes = {
    "any credential is revoked": (cache: ReturnType<typeof aCache>) => cache.forgetAll("another key"),
    "the credential is forgotten": (cache: ReturnType<typeof aCache>) => cache.forget(again())
  }
  for (const [what, change] of Object.entries(changes)) {
    it.effect(`if ${what} during a look-up, later requests do not use the result of this look-up`, () =>
      Effect.gen(function* () {
        const cache = aCache()
        const [early, late] = [yield* aLookUp, yield* aLookUp]
        const first = yield* started(cache.load(again(), 0, early.effect))
        change(cache)
        const second = yield* started(cache.load(again(), 0, late.effect))
        assert.strictEqual(late.begun(), 1)
        const [stale, fresh] = [aPrincipal(), aPrincipal()]
        yield* Deferred.succeed(early.result, stale)
        assert.strictEqual(yield* Fiber.join(first), stale)
        assert.isUndefined(cache.recall(key, 0, Infinity))
        yield* Deferred.succeed(late.result, fresh)
        assert.strictEqual(yield* Fiber.join(second), fresh)
        assert.strictEqual(cache.recall(key, 0, Infinity), fresh)
      })
    )
  }

  it.effect(
    "if the request that is looking up a credential is interrupted, one of the waiting requests looks up the credential",
    () =>
      Effect.gen(function* () {
        const cache = aCache()
        const [abandoned, look] = [yield* aLookUp, yield* aLookUp]
        const first = yield* started(cache.load(again(), 0, abandoned.effect))
        const second = yield* started(cache.load(again(), 0, look.effect))
        assert.strictEqual(look.begun(), 0)
        yield* Fiber.interrupt(first)
        const principal = aPrincipal()
        yield* Deferred.succeed(look.result, principal)
        assert.strictEqual(yield* Fiber.join(second), principal)
        assert.strictEqual(look.begun(), 1)
      })
  )

  it.effect(
    "the cache of credentials can forget all credentials of one person, agent or key, and keeps the other credentials",
    () =>
      Effect.gen(function* () {
        const cache = aCache()
        const mine = aPrincipal()
        const other: PresentedCredential = { kind: "bearer", secret: "pod_other" }
        for (const id of [mine.credential.id, mine.holder.id, mine.personId]) {
          yield* cache.load(key, 0, Effect.succeed(mine))
          yield* cache.load(other, 0, Effect.succeed(aPrincipal()))
          cache.forgetAll(id)
          assert.isUndefined(cache.recall(key, 0, Infinity))
          assert.isDefined(cache.recall(other, 0, Infinity))
        }
      })
  )

  it.effect(
    "the cache of credentials returns the caller of a credential only if the caller was stored recently and the credential has not expired",
    () =>
      Effect.gen(function* () {
        const cache = aCache()
        yield* cache.load(key, 1_000, Effect.succeed({ ...aPrincipal(), expiresAt: new Date(3_000) }))
        assert.isDefined(cache.recall(key, 2_000, 1_000))
        assert.isUndefined(cache.recall(key, 2_001, 1_000))
        assert.isUndefined(cache.recall(key, 3_000, Infinity))
      })
  )
})
