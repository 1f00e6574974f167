/**
 * Tests the attempts of a job in memory, on PGlite and on PostgreSQL. An attempt can be repeated, fail for good, exceed
 * its time limit, or go back to the queue.
 */
import { assert, it } from "@effect/vitest"
import { Data, Deferred, Effect, Layer, Option, Schema, type Scope } from "effect"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { deadLetterQueue, jobQueue } from "../../../src/platform/jobs/JobQueue.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { JobStore } from "../../../src/platform/jobs/JobStore.ts"
import type { Stores } from "../../support/stores.ts"
import { aQueue, enqueued, patience, reaches, stateOf, working } from "./jobCalls.ts"

class NotYet extends Data.TaggedError("NotYet")<{ readonly message: string }> {}

const deadLetters = Effect.map(stateOf(deadLetterQueue), (state) => state?.waiting ?? 0)

export const jobAttemptsContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores | Jobs | Scope.Scope>) =>
    it.live(name, () => work.pipe(Effect.scoped, Effect.provide(Layer.provideMerge(Jobs.layer, stores))), patience)

  rule(
    "a failed attempt of a job is repeated after a pause, and its error is stored until the job is done",
    Effect.gen(function* () {
      const queue = aQueue()
      const { next } = yield* working(queue, ({ attempt }) =>
        attempt === 1 ? Effect.fail(new NotYet({ message: "not yet" })) : Effect.void
      )
      const id = yield* enqueued(queue, "twice")
      assert.strictEqual((yield* next).attempt, 1)
      assert.deepStrictEqual(yield* reaches(queue, id, "waiting"), {
        state: "waiting",
        attempts: 1,
        lastError: "not yet"
      })
      assert.strictEqual((yield* next).attempt, 2)
      assert.deepStrictEqual(yield* reaches(queue, id, "completed"), {
        state: "completed",
        attempts: 2,
        lastError: null
      })
    })
  )

  rule(
    "if the last attempt of a job crashes, the job counts as failed, and the dead-letter queue gets a copy of the job",
    Effect.gen(function* () {
      const before = yield* deadLetters
      const queue = aQueue({ retryLimit: 0 })
      yield* working(queue, () => Effect.dieMessage("for good"))
      const id = yield* enqueued(queue, "never")
      assert.deepStrictEqual(yield* reaches(queue, id, "failed"), {
        state: "failed",
        attempts: 1,
        lastError: "for good"
      })
      assert.strictEqual(yield* deadLetters, before + 1)
    })
  )

  rule(
    "a job whose payload does not fit its queue goes to the dead-letter queue, and its handler is not called",
    Effect.gen(function* () {
      const { enqueue } = yield* Jobs
      const before = yield* deadLetters
      const queue = aQueue({ retryLimit: 5 })
      const { began } = yield* working(queue)
      const other = jobQueue({ ...queue, payload: Schema.Array(Schema.Number) })
      const id = Option.getOrThrow(yield* enqueue(other, [1, 2]))
      const { attempts, lastError } = yield* reaches(queue, id, "failed")
      assert.strictEqual(attempts, 1)
      assert.strictEqual(lastError, "The payload is not what the queue declares.")
      assert.strictEqual(yield* began, 0)
      assert.strictEqual(yield* deadLetters, before + 1)
    })
  )

  rule(
    "if an attempt of a job takes longer than its queue allows, the pod interrupts the attempt and counts it as failed",
    Effect.gen(function* () {
      const queue = aQueue({ retryLimit: 0, expireSeconds: 1 })
      const isInterrupted = yield* Deferred.make<void>()
      yield* working(queue, () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(isInterrupted, undefined)))
      const id = yield* enqueued(queue, "endless")
      yield* Deferred.await(isInterrupted)
      assert.strictEqual((yield* reaches(queue, id, "failed")).lastError, "The attempt took too long.")
    })
  )

  rule(
    "when a worker stops, it gives its running jobs back to the queue, and these attempts are not counted",
    Effect.gen(function* () {
      const queue = aQueue({ retryLimit: 0 })
      const id = yield* Effect.scoped(
        Effect.gen(function* () {
          const { next } = yield* working(queue, () => Effect.never)
          yield* enqueued(queue, "given back")
          return (yield* next).id
        })
      )
      assert.deepStrictEqual(yield* reaches(queue, id, "waiting"), { state: "waiting", attempts: 0, lastError: null })
      const { next } = yield* working(queue)
      assert.deepStrictEqual(yield* next, { note: "given back", id, attempt: 1 })
      yield* reaches(queue, id, "completed")
    })
  )

  rule(
    "if an attempt of a job has failed, a later report about the end of this attempt changes nothing, even while the next attempt runs",
    Effect.gen(function* () {
      const { add, declare, fail, finish, giveBack, take } = yield* JobStore
      const queue = aQueue()
      yield* declare(queue)
      yield* add({ id: uuidv7(), queue: queue.name, payload: {}, afterSeconds: 0, singletonKey: null })
      const [first] = yield* Effect.repeat(take(queue.name, 5), { until: (taken) => taken.length === 1 })
      assert.isDefined(first)
      assert.isTrue(yield* fail(first, "once", true))
      assert.isFalse(yield* finish(first))
      assert.isFalse(yield* fail(first, "twice", true))
      assert.isFalse(yield* giveBack(first))
      const [second] = yield* Effect.repeat(take(queue.name, 5), { until: (taken) => taken.length === 1 })
      assert.strictEqual(second?.attempt, 2)
      assert.isFalse(yield* finish(first))
      assert.isTrue(yield* finish(second))
    })
  )
}
