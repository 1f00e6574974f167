/**
 * Tests how a revocation waits until the open transactions of all pods have ended. It looks again after pauses that
 * grow, stops after a few seconds, and never reports success while a transaction runs.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, TestClock } from "effect"
import type pg from "pg"
import { podTransactionsEnded } from "../../src/platform/PodTransactions.ts"

/** Makes a test double of a database. Each query for open transactions returns one transaction that never ends. */
const aServer = (isTracked: boolean) => {
  const texts: Array<string> = []
  const query = async (text: string) => {
    texts.push(text)
    return { rows: [{ pids: [4711], starts: ["2026-01-01 00:00:00+00"], isTracked }] }
  }
  // The code under test uses only the query of the pool.
  return { pool: { query } as unknown as pg.Pool, texts }
}

describe("how a revocation waits for open database transactions", () => {
  it.effect(
    "if a transaction does not end after the pod has terminated its connection, the pod stops waiting, and sends fewer than a hundred queries until then",
    () =>
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

  it.effect(
    "if a database server does not show its transactions, waiting for their end fails, and the pod terminates no transaction",
    () =>
      Effect.gen(function* () {
        const { pool, texts } = aServer(false)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(podTransactionsEnded(pool))))
        assert.isFalse(texts.some((text) => text.includes("pg_terminate_backend")))
      })
  )
})
