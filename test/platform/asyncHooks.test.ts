/** The sign-in library uses AsyncLocalStorage. While such a storage is enabled, it slows the whole process down. */
import { assert, describe, it } from "@effect/vitest"
import { AsyncLocalStorage } from "node:async_hooks"
import { Effect, Exit } from "effect"
import { callLibrary } from "../../src/platform/DriverFailures.ts"

/** Returns true if the storage is enabled. Node 20 and 22 show this in the field `enabled`. */
const isOn = (storage: AsyncLocalStorage<unknown>): boolean => Reflect.get(storage, "enabled") === true

describe("the AsyncLocalStorage objects of the sign-in library", () => {
  const global = Symbol.for("better-auth:global")
  const storage = new AsyncLocalStorage<string>()
  const known: unknown = Reflect.get(globalThis, global)
  const withStorage = <A>(work: Effect.Effect<A>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => Reflect.set(globalThis, global, { context: { storage } })),
      () => work,
      () => Effect.sync(() => Reflect.set(globalThis, global, known))
    )
  const inside = (opened: Promise<void>) => () =>
    storage.run("inside", async () => {
      await opened
      return [storage.getStore(), isOn(storage)]
    })

  it.effect(
    "an AsyncLocalStorage of the sign-in library is enabled while a call runs, and is disabled when all overlapping calls have ended",
    () =>
      withStorage(
        Effect.gen(function* () {
          const gate = aGate()
          const first = yield* Effect.fork(callLibrary(inside(Promise.resolve())))
          const second = yield* Effect.fork(callLibrary(inside(gate.promise)))
          assert.deepStrictEqual(yield* first, ["inside", true])
          assert.isTrue(isOn(storage), "the second call still runs")
          gate.resolve()
          assert.deepStrictEqual(yield* second, ["inside", true])
          assert.isFalse(isOn(storage))
        })
      )
  )

  it.effect("an AsyncLocalStorage of the sign-in library is disabled after a call that failed", () =>
    withStorage(
      Effect.gen(function* () {
        const failing = () => storage.run("inside", () => Promise.reject(new Error("refused")))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(callLibrary(failing))))
        assert.isFalse(isOn(storage))
      })
    )
  )
})

const aGate = () => {
  let resolve = () => {}
  const promise = new Promise<void>((open) => (resolve = open))
  return { promise, resolve: () => resolve() }
}
