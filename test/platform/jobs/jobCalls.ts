/** Queues for tests, and workers that record what they do. */
import { Effect, Layer, Queue, Schedule, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { jobQueue, type QueueRules } from "../../../src/platform/jobs/JobQueue.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import type { JobAttempt } from "../../../src/platform/jobs/JobWorker.ts"

/**
 * The longest time of a test, in ms. A pod looks for the jobs of other pods only every 10 s. So a test that has to wait
 * for this look-up fails.
 */
export const patience = 8_000

const Note = Schema.Struct({ note: Schema.String })

/** Makes a queue that no other test uses. */
export const aQueue = (rules: Partial<QueueRules> = {}) =>
  jobQueue({
    name: `test.${randomBytes(6).toString("hex")}`,
    payload: Note,
    retryLimit: 1,
    retryDelaySeconds: 1,
    expireSeconds: 60,
    concurrency: 1,
    single: "nothing",
    ...rules
  })

type TestQueue = ReturnType<typeof aQueue>

export interface Ran extends JobAttempt {
  readonly note: string
}

/**
 * Runs the jobs of the queue until the scope ends. The worker records each attempt before the work of the job begins.
 * `next` waits for the next recorded attempt and returns it.
 */
export const working = <E = never, R = never>(
  queue: TestQueue,
  act: (ran: Ran) => Effect.Effect<unknown, E, R> = () => Effect.void
) =>
  Effect.gen(function* () {
    const { work } = yield* Jobs
    const attempts = yield* Queue.unbounded<Ran>()
    yield* work(queue, ({ note }, attempt) => {
      const ran = { note, ...attempt }
      return Effect.zipRight(Queue.offer(attempts, ran), act(ran))
    })
    return { next: Queue.take(attempts), began: Queue.size(attempts) }
  })

/** Waits until the job is in this state. */
export const reaches = (queue: TestQueue, id: string, state: string) =>
  Effect.gen(function* () {
    const { find } = yield* Jobs
    const found = yield* find(queue, id)
    return found._tag === "Some" && found.value.state === state ? found.value : yield* Effect.fail("not yet" as const)
  }).pipe(Effect.retry({ while: (error) => error === "not yet", schedule: Schedule.spaced("10 millis") }))

/** Enqueues a job, and fails the test if no job was added. */
export const enqueued = (queue: TestQueue, note: string, options?: Parameters<typeof Jobs.Service.enqueue>[2]) =>
  Effect.flatMap(Jobs, ({ enqueue }) => Effect.flatMap(enqueue(queue, { note }, options), Effect.orDie))

export const stateOf = (name: string) =>
  Effect.flatMap(Jobs, ({ states }) => Effect.map(states, (all) => all.find(({ queue }) => queue === name)))

/** The service `Jobs` of a second pod that uses the same store. */
export const anotherPod = Layer.build(Layer.fresh(Jobs.layer))
