/** What jobs promise on memory, PGlite and PostgreSQL: with the write, tried again, given back, kept apart. */
import { assert, it } from "@effect/vitest"
import { Context, Cron, Deferred, Effect, Exit, Fiber, Layer, Option, Ref, Schema, type Scope } from "effect"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { deadLetterQueue, jobQueue } from "../../../src/platform/jobs/JobQueue.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { JobStore } from "../../../src/platform/jobs/JobStore.ts"
import { Transaction } from "../../../src/platform/Transaction.ts"
import { upTo } from "../../support/people.ts"
import { Engine, type Stores } from "../../support/stores.ts"
import { aQueue, reaches, type TestQueue, working } from "./jobCalls.ts"

/** Less than the time between two looks of a pod after the jobs of others: nothing here waits for one. */
const patience = 8_000

export const jobsContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores | Jobs | Scope.Scope>) =>
    it.live(name, () => work.pipe(Effect.scoped, Effect.provide(Jobs.layer), Effect.provide(stores)), patience)

  /** Enqueues, and fails the test where no job was added. */
  const enqueued = (queue: TestQueue, note: string, options?: Parameters<typeof Jobs.Service.enqueue>[2]) =>
    Effect.flatMap(Jobs, ({ enqueue }) => Effect.flatMap(enqueue(queue, { note }, options), Effect.orDie))

  const stateOf = (name: string) =>
    Effect.flatMap(Jobs, ({ states }) => Effect.map(states, (all) => all.find(({ queue }) => queue === name)))

  /** The jobs of a second pod over the same store. */
  const anotherPod = Layer.build(Layer.fresh(Jobs.layer))

  const deadLetters = Effect.map(stateOf(deadLetterQueue), (state) => state?.waiting ?? 0)

  rule(
    "a job that is enqueued in a transaction starts as soon as the transaction has committed, and not before",
    Effect.gen(function* () {
      const { atomically } = yield* Transaction
      const { find } = yield* Jobs
      const queue = aQueue()
      const { began, next } = yield* working(queue)
      // The worker has the time to look in vain while the transaction is open.
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
    ["dies", Effect.dieMessage("afterwards")],
    ["is interrupted", Effect.interrupt]
  ] as const) {
    rule(
      `a job that is enqueued in a transaction that ${how} is not there`,
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
    "a job whose part of a transaction is undone alone is not there",
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
    "an attempt that fails is repeated after a pause, and its error is kept until the job is done",
    Effect.gen(function* () {
      const queue = aQueue()
      const { next } = yield* working(queue, ({ attempt }) =>
        attempt === 1 ? Effect.fail(new Error("not yet")) : Effect.void
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
    "a job whose last attempt dies has failed, and a copy is among the dead letters",
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
    "a payload that is not what the queue declares goes to the dead letters without an attempt of the handler",
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
    "an attempt that takes longer than its queue allows is interrupted and has failed",
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
    "a worker that stops gives back what it does, and the attempt does not count",
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
    "the end of an attempt changes nothing once the job was given back and another attempt runs",
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

  rule(
    "a queue with a single waiting job for each key refuses a second one until the first has started",
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
    "a queue with a single running job for each key never runs two at once",
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
    "a job for later waits for its time, and other jobs pass it",
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
    "a job that is cancelled while it waits never runs; the end of one that runs changes nothing",
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
    "two pods share the jobs of a queue, and no job runs twice",
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
    "each time of a schedule gives one job, however many pods schedule it",
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
    "a job for a queue that is not there is refused with a typed failure",
    Effect.gen(function* () {
      const { enqueue } = yield* Jobs
      const failure = yield* Effect.flip(enqueue(aQueue(), { note: "nowhere" }))
      assert.strictEqual(failure._tag, "JobsUnavailable")
    })
  )

  rule(
    "a failure of the queue leaves the transaction of a write usable",
    Effect.gen(function* () {
      const { atomically } = yield* Transaction
      const { enqueue } = yield* Jobs
      const { isSql } = yield* Engine
      const queue = aQueue()
      const { next } = yield* working(queue)
      // A zero byte is no text to PostgreSQL: its statement fails.
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
