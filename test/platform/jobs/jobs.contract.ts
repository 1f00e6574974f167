/**
 * The guarantees of jobs in memory, on PGlite and on PostgreSQL: a job is committed together with the write that
 * enqueues it, starts in time, and runs once even if there are several pods.
 */
import { assert, it } from "@effect/vitest"
import { Context, Cron, Deferred, Effect, Exit, Fiber, Layer, Option, Ref, type Scope } from "effect"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { JobStore } from "../../../src/platform/jobs/JobStore.ts"
import { Transaction } from "../../../src/platform/Transaction.ts"
import { upTo } from "../../support/people.ts"
import { Engine, type Stores } from "../../support/stores.ts"
import { anotherPod, aQueue, enqueued, patience, reaches, stateOf, working } from "./jobCalls.ts"

export const jobsContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores | Jobs | Scope.Scope>) =>
    it.live(name, () => work.pipe(Effect.scoped, Effect.provide(Layer.provideMerge(Jobs.layer, stores))), patience)

  rule(
    "a job that is enqueued in a transaction starts as soon as the transaction has committed, and not before",
    Effect.gen(function* () {
      const { atomically } = yield* Transaction
      const { find } = yield* Jobs
      const queue = aQueue()
      const { began, next } = yield* working(queue)
      // These reads give the worker time to look for the job while the transaction is open. The worker must not find
      // the job.
      const asked = Effect.repeatN(find(queue, uuidv7()), 30)
      const id = yield* atomically(Effect.tap(enqueued(queue, "with a write"), () => asked))
      assert.deepStrictEqual(yield* next, { note: "with a write", id, attempt: 1 })
      assert.strictEqual(yield* began, 0)
      assert.deepStrictEqual(yield* reaches(queue, id, "completed"), {
        state: "completed",
        attempts: 1,
        lastError: null
      })
    })
  )

  for (const [how, broken] of [
    ["fails", Effect.fail("afterwards")],
    ["ends with a defect", Effect.dieMessage("afterwards")],
    ["is interrupted", Effect.interrupt]
  ] as const) {
    rule(
      `if a transaction ${how}, a job that was enqueued in the transaction does not exist afterwards`,
      Effect.gen(function* () {
        const { atomically } = yield* Transaction
        const { find } = yield* Jobs
        const queue = aQueue()
        const { began, next } = yield* working(queue)
        const id = yield* Ref.make("")
        const undone = atomically(
          Effect.zipRight(
            Effect.flatMap(enqueued(queue, "undone"), (made) => Ref.set(id, made)),
            broken
          )
        )
        const exit = yield* Effect.fork(undone).pipe(Effect.flatMap(Fiber.join), Effect.exit)
        assert.isTrue(Exit.isFailure(exit))
        assert.isTrue(Option.isNone(yield* find(queue, yield* Ref.get(id))))
        yield* enqueued(queue, "kept")
        assert.strictEqual((yield* next).note, "kept")
        assert.strictEqual(yield* began, 0)
      })
    )
  }

  rule(
    "if the part of a transaction that enqueued a job was rolled back, the job does not exist after the transaction",
    Effect.gen(function* () {
      const { atomically } = yield* Transaction
      const queue = aQueue()
      const { began, next } = yield* working(queue)
      const inner = Effect.ignore(atomically(Effect.zipRight(enqueued(queue, "undone"), Effect.fail("inner"))))
      yield* atomically(Effect.zipRight(inner, enqueued(queue, "kept")))
      assert.strictEqual((yield* next).note, "kept")
      assert.strictEqual(yield* began, 0)
    })
  )

  rule(
    "a queue that allows one waiting job for each job key refuses a second job until the first one has started",
    Effect.gen(function* () {
      const { enqueue } = yield* Jobs
      const queue = aQueue({ single: "waiting" })
      const { next } = yield* working(queue)
      yield* reaches(queue, yield* enqueued(queue, "first", { singletonKey: "a" }), "completed")
      yield* next
      const later = { singletonKey: "a", after: "1 hour" } as const
      yield* enqueued(queue, "second", later)
      assert.isTrue(Option.isNone(yield* enqueue(queue, { note: "third" }, later)))
      yield* enqueued(queue, "of another key", { singletonKey: "b" })
      assert.strictEqual((yield* next).note, "of another key")
    })
  )

  rule(
    "a queue that allows one running job for each job key never runs two jobs with one key at the same time",
    Effect.gen(function* () {
      const queue = aQueue({ single: "running", concurrency: 4 })
      const running = yield* Ref.make(0)
      const { next } = yield* working(queue, () =>
        Effect.acquireUseRelease(
          Ref.updateAndGet(running, (count) => count + 1),
          (count) => (count === 1 ? Effect.yieldNow() : Effect.dieMessage("two at once")),
          () => Ref.update(running, (count) => count - 1)
        )
      )
      const ids = yield* Effect.forEach(["one", "two", "three"], (note) => enqueued(queue, note, { singletonKey: "a" }))
      for (const _ of ids) assert.strictEqual((yield* next).attempt, 1)
      for (const id of ids) yield* reaches(queue, id, "completed")
    })
  )

  rule(
    "a job with a later start time waits until then, and other jobs run before it",
    Effect.gen(function* () {
      const queue = aQueue()
      const { next } = yield* working(queue)
      yield* enqueued(queue, "later", { after: "1 second" })
      yield* enqueued(queue, "now")
      assert.strictEqual((yield* next).note, "now")
      assert.strictEqual((yield* next).note, "later")
    })
  )

  rule(
    "a job that is cancelled while it waits never runs, and the end of a job that is cancelled while it runs changes nothing",
    Effect.gen(function* () {
      const { cancel } = yield* Jobs
      const queue = aQueue()
      const isCancelled = yield* Deferred.make<void>()
      const { next } = yield* working(queue, () => Deferred.await(isCancelled))
      const running = yield* enqueued(queue, "runs")
      yield* next
      const waiting = yield* enqueued(queue, "waits")
      assert.isTrue(yield* cancel(queue, waiting))
      assert.isTrue(yield* cancel(queue, running))
      assert.isFalse(yield* cancel(queue, running))
      const last = yield* enqueued(queue, "last")
      yield* Deferred.succeed(isCancelled, undefined)
      assert.strictEqual((yield* next).note, "last")
      yield* reaches(queue, last, "completed")
      const state = yield* stateOf(queue.name)
      assert.deepInclude(state, { waiting: 0, running: 0, completed: 1, cancelled: 2, failed: 0, oldestSeconds: null })
    })
  )

  rule(
    "two pods work on the jobs of one queue, and no job runs twice",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = aQueue({ concurrency: 3 })
      const count = 40
      const done = yield* Ref.make<ReadonlyArray<string>>([])
      const isDone = yield* Deferred.make<void>()
      const pod = working(queue, ({ note }) =>
        Ref.updateAndGet(done, (notes) => [...notes, note]).pipe(
          Effect.tap((notes) => (notes.length === count ? Deferred.succeed(isDone, undefined) : Effect.void))
        )
      )
      yield* store.declare(queue)
      yield* Effect.forEach(upTo(count), (note) => enqueued(queue, String(note)))
      yield* pod
      yield* Effect.provide(pod, yield* anotherPod)
      yield* Deferred.await(isDone)
      assert.strictEqual(new Set(yield* Ref.get(done)).size, count)
    })
  )

  rule(
    "each scheduled time creates one job, however many pods run the schedule",
    Effect.gen(function* () {
      const here = yield* Jobs
      const there = Context.get(yield* anotherPod, Jobs)
      const queue = aQueue()
      const { next } = yield* working(queue)
      const everySecond = Cron.unsafeParse("* * * * * *", "UTC")
      for (const { schedule } of [here, there]) yield* schedule(queue, everySecond, { note: "tick" })
      const ids = [(yield* next).id, (yield* next).id, (yield* next).id]
      assert.strictEqual(new Set(ids).size, 3)
      const state = yield* stateOf(queue.name)
      assert.isAtMost((state?.waiting ?? 0) + (state?.running ?? 0) + (state?.completed ?? 0), 5)
    })
  )

  rule(
    "a caller who enqueues a job for a missing queue gets a typed failure",
    Effect.gen(function* () {
      const { enqueue } = yield* Jobs
      const failure = yield* Effect.flip(enqueue(aQueue(), { note: "nowhere" }))
      assert.strictEqual(failure._tag, "JobsUnavailable")
    })
  )

  rule(
    "if a write cannot enqueue its job, the transaction of the write can still go on",
    Effect.gen(function* () {
      const { atomically } = yield* Transaction
      const { enqueue } = yield* Jobs
      const { isSql } = yield* Engine
      const queue = aQueue()
      const { next } = yield* working(queue)
      // PostgreSQL refuses a text with a zero byte, so this statement fails.
      const broken = isSql
        ? enqueue(queue, { note: "broken" }, { singletonKey: "\0" })
        : enqueue(aQueue(), { note: "" })
      yield* atomically(
        Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(broken))._tag, "JobsUnavailable")
          yield* enqueued(queue, "goes on")
        })
      )
      assert.strictEqual((yield* next).note, "goes on")
    })
  )
}
