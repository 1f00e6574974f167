/** How transactions of pods are waited for: with pauses that grow, for seconds at most, and never with a wrong "done". */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, TestClock } from "effect"
import type pg from "pg"
import { podTransactionsEnded } from "../../src/platform/PodTransactions.ts"

/** A server that shows one transaction, which never ends, and counts what it is asked. */
const aServer = (isTracked: boolean) => {
  const texts: Array<string> = []
  const query = async (text: string) => {
    texts.push(text)
    return { rows: [{ pids: [4711], starts: ["2026-01-01 00:00:00+00"], isTracked }] }
  }
  // Of the pool, only its query is used here.
  return { pool: { query } as unknown as pg.Pool, texts }
}

describe("transactions of pods", () => {
  it.effect("one that does not end, not even by force, is a failure after few questions", () =>
    Effect.gen(function* () {
      const { pool, texts } = aServer(true)
      const waiting = yield* Effect.fork(Effect.exit(podTransactionsEnded(pool)))
      while ((yield* Fiber.status(waiting))._tag !== "Done") {
        yield* TestClock.adjust("100 millis")
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      assert.isTrue(Exit.isFailure(yield* Fiber.join(waiting)))
      assert.strictEqual(texts.filter((text) => text.includes("pg_terminate_backend")).length, 1)
      assert.isBelow(texts.length, 100)
    })
  )

  it.effect("a server that does not show them is a failure, and nothing is terminated", () =>
    Effect.gen(function* () {
      const { pool, texts } = aServer(false)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(podTransactionsEnded(pool))))
      assert.isFalse(texts.some((text) => text.includes("pg_terminate_backend")))
    })
  )
})
