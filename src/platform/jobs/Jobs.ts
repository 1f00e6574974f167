/**
 * Durable work that happens later: what is enqueued with a write commits with it and is undone with it, and some pod over the
 * database does it at least once. Two pods never run a job at once, unless an attempt goes on long past its time.
 */
import { Clock, Context, Cron, Duration, Effect, Layer, Option, Queue, Schedule, Schema, type Scope } from "effect"
import { createHash } from "node:crypto"
import { afterCommit } from "../CommitHooks.ts"
import { uuidv7 } from "../Ids.ts"
import type { JobQueue, JobState, JobsUnavailable, QueueRules, QueueState } from "./JobQueue.ts"
import { JobStore } from "./JobStore.ts"
import { type JobAttempt, startWorker } from "./JobWorker.ts"

/**
 * How often a pod looks after what nobody pokes it about: jobs of killed pods, and jobs that other pods enqueued. What it enqueues
 * itself starts at once.
 */
const lookEvery = "10 seconds"

const sleepMost = Duration.days(1) // timers of the runtime cannot be set for more than 24 days

export class Jobs extends Context.Tag("pod/Jobs")<
  Jobs,
  {
    /**
     * The id of the job; none if the queue holds a job with this key that waits, and keeps only one. Within a transaction the
     * job is a part of it. A failure leaves the transaction usable: whoever enqueues decides whether the write goes on.
     */
    readonly enqueue: <Payload, Encoded>(
      queue: JobQueue<Payload, Encoded>,
      payload: Payload,
      options?: { readonly after?: Duration.DurationInput; readonly singletonKey?: string }
    ) => Effect.Effect<Option.Option<string>, JobsUnavailable>
    /**
     * Makes the queue and works on its jobs until the scope closes. An attempt has failed if the handler fails, dies or takes
     * too long. A job may run again after it was done, if its pod was killed before it could say so.
     */
    readonly work: <Payload, Encoded, E, R>(
      queue: JobQueue<Payload, Encoded>,
      handler: (payload: Payload, attempt: JobAttempt) => Effect.Effect<unknown, E, R>
    ) => Effect.Effect<void, JobsUnavailable, R | Scope.Scope>
    /**
     * Enqueues one job at each of the times, in UTC, whatever number of pods does so; until the scope closes. The last time
     * that passed while no pod ran is made up for.
     */
    readonly schedule: <Payload, Encoded>(
      queue: JobQueue<Payload, Encoded>,
      times: Cron.Cron,
      payload: Payload
    ) => Effect.Effect<void, never, Scope.Scope>
    /** Whether there was such a job that waited or ran. One that runs goes on, but its end changes nothing. */
    readonly cancel: (queue: Pick<QueueRules, "name">, id: string) => Effect.Effect<boolean, JobsUnavailable>
    readonly find: (
      queue: Pick<QueueRules, "name">,
      id: string
    ) => Effect.Effect<Option.Option<JobState>, JobsUnavailable>
    /** The queues that hold jobs, by name; the dead letters are one of them. */
    readonly states: Effect.Effect<ReadonlyArray<QueueState>, JobsUnavailable>
    /** Deletes jobs that ended long ago. */
    readonly tidy: Effect.Effect<void, JobsUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const store = yield* JobStore
      const workers = new Set<Worker>()
      const poke = (isMeant: (worker: Worker) => boolean) =>
        Effect.suspend(() =>
          Effect.forEach([...workers].filter(isMeant), ({ pokes }) => Queue.offer(pokes, undefined), { discard: true })
        )
      const added = (queue: string) => afterCommit(poke((worker) => worker.queue === queue))

      const look = store.expire.pipe(
        Effect.catchAll(({ message }) => Effect.logWarning(`Jobs of killed pods cannot be looked for: ${message}`)),
        Effect.zipRight(poke(() => true))
      )
      yield* Effect.forkScoped(Effect.schedule(look, Schedule.spaced(lookEvery)))

      return {
        enqueue: (queue, payload, { after = 0, singletonKey } = {}) =>
          Effect.gen(function* () {
            const job = {
              id: uuidv7(),
              queue: queue.name,
              payload: yield* Effect.orDie(Schema.encode(queue.payload)(payload)),
              afterSeconds: Duration.toSeconds(after),
              singletonKey: singletonKey ?? null
            }
            if (!(yield* store.add(job))) return Option.none()
            yield* added(queue.name)
            return Option.some(job.id)
          }).pipe(Effect.tapError(({ message }) => Effect.logWarning(`No job of ${queue.name} was added: ${message}`))),
        work: (queue, handler) =>
          Effect.gen(function* () {
            yield* store.declare(queue)
            const worker = { queue: queue.name, pokes: yield* Queue.sliding<void>(1) }
            yield* startWorker(store, queue, worker.pokes, handler)
            yield* Effect.acquireRelease(
              Effect.sync(() => workers.add(worker)),
              () => Effect.sync(() => workers.delete(worker))
            )
          }),
        schedule: (queue, times, payload) =>
          Effect.gen(function* () {
            const encoded = yield* Effect.orDie(Schema.encode(queue.payload)(payload))
            const nowMs = yield* Clock.currentTimeMillis
            const next = Cron.next(times, new Date(nowMs))
            const waitMs = next.getTime() - nowMs
            const job = { id: idAt(queue.name, next), queue: queue.name, payload: encoded, singletonKey: null }
            yield* store.add({ ...job, afterSeconds: waitMs / 1000 })
            yield* added(queue.name)
            return Duration.min(sleepMost, Duration.millis(waitMs))
          }).pipe(
            Effect.catchAll(({ message }) =>
              Effect.as(
                Effect.logWarning(`The next job of ${queue.name} could not be scheduled: ${message}`),
                Duration.minutes(1)
              )
            ),
            Effect.flatMap(Effect.sleep),
            Effect.forever,
            Effect.forkScoped,
            Effect.asVoid
          ),
        cancel: ({ name }, id) => store.cancel(name, id),
        find: ({ name }, id) => Effect.map(store.find(name, id), Option.fromNullable),
        states: store.states,
        tidy: store.tidy
      }
    })
  )
}

interface Worker {
  readonly queue: string
  readonly pokes: Queue.Queue<void>
}

/** The same on every pod, so that the store keeps one job for each time: a UUID of version 8 (RFC 9562, §5.8). */
const idAt = (queue: string, time: Date): string => {
  const hash = createHash("sha256").update(`${queue} ${time.toISOString()}`).digest("hex")
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
