/**
 * Durable work that happens later. A job that is enqueued with a write is committed or rolled back together with the
 * write. One of the nodes does the job at least once. Two nodes never run the same job at the same time, unless an
 * attempt goes on long after its time limit.
 */
import { Clock, Context, Cron, Duration, Effect, Layer, Option, Queue, Schedule, Schema, type Scope } from "effect"
import { createHash } from "node:crypto"
import { afterCommit } from "../CommitHooks.ts"
import { uuidv7 } from "../Ids.ts"
import type { JobQueue, JobState, JobsUnavailable, QueueRules, QueueState } from "./JobQueue.ts"
import { JobStore } from "./JobStore.ts"
import { type JobAttempt, startWorker } from "./JobWorker.ts"

/**
 * How often a node looks for jobs that no message announces. These are jobs of killed nodes, and jobs that other nodes
 * enqueued. If the node itself enqueues a job, a message announces it, so this job starts at once.
 */
const lookEvery = "10 seconds"

// the longest sleep of the scheduler, because a timer of Node cannot wait for more than 24 days
const sleepMax = Duration.days(1)

export class Jobs extends Context.Tag("pod/Jobs")<
  Jobs,
  {
    /**
     * Enqueues a job and returns its id. Returns none if a job with this key waits and the queue allows only one
     * waiting job for each key. Inside a transaction the job is part of the transaction. A failure leaves the
     * transaction usable, so the caller decides whether the write continues.
     */
    readonly enqueue: <Payload, Encoded>(
      queue: JobQueue<Payload, Encoded>,
      payload: Payload,
      options?: { readonly after?: Duration.DurationInput; readonly singletonKey?: string }
    ) => Effect.Effect<Option.Option<string>, JobsUnavailable>
    /**
     * Creates the queue and works on its jobs until the scope closes. An attempt fails if the handler fails, has a
     * defect or takes too long. If a node is killed after a job was done and before the node has recorded this, the job
     * runs again.
     */
    readonly work: <Payload, Encoded, E, R>(
      queue: JobQueue<Payload, Encoded>,
      handler: (payload: Payload, attempt: JobAttempt) => Effect.Effect<unknown, E, R>
    ) => Effect.Effect<void, JobsUnavailable, R | Scope.Scope>
    /**
     * Enqueues one job at each time in `times` (in UTC) until the scope closes. Several nodes can do this for the same
     * queue. The queue still gets only one job for each time. The job for the next time is stored before this time. If
     * no node runs for a while, several of these times can pass. After the next start, the pod does only the job for
     * the first of them.
     */
    readonly schedule: <Payload, Encoded>(
      queue: JobQueue<Payload, Encoded>,
      times: Cron.Cron,
      payload: Payload
    ) => Effect.Effect<void, never, Scope.Scope>
    /**
     * Cancels a job. Returns false if no such job waited or ran. A running job continues, but its success or failure is
     * not recorded.
     */
    readonly cancel: (queue: Pick<QueueRules, "name">, id: string) => Effect.Effect<boolean, JobsUnavailable>
    readonly find: (
      queue: Pick<QueueRules, "name">,
      id: string
    ) => Effect.Effect<Option.Option<JobState>, JobsUnavailable>
    /** The state of each queue that has jobs, ordered by name. The dead letters are one of these queues. */
    readonly states: Effect.Effect<ReadonlyArray<QueueState>, JobsUnavailable>
    /** Removes from the queues the jobs that ended more than half a day ago. */
    readonly deleteOld: Effect.Effect<void, JobsUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const store = yield* JobStore
      const workers = new Set<Worker>()
      const wakeWorkers = (isMeant: (worker: Worker) => boolean) =>
        Effect.suspend(() =>
          Effect.forEach([...workers].filter(isMeant), ({ wakeSignals }) => Queue.offer(wakeSignals, undefined), {
            discard: true
          })
        )
      const added = (queue: string) => afterCommit(wakeWorkers((worker) => worker.queue === queue))

      const look = store.expire.pipe(
        Effect.catchAll(({ message }) =>
          Effect.logWarning(`The pod cannot look for jobs of killed processes: ${message}`)
        ),
        Effect.zipRight(wakeWorkers(() => true))
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
        work: Effect.fnUntraced(function* (queue, handler) {
          yield* store.declare(queue)
          const worker = { queue: queue.name, wakeSignals: yield* Queue.sliding<void>(1) }
          yield* startWorker(store, queue, worker.wakeSignals, handler)
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
            return Duration.min(sleepMax, Duration.millis(waitMs))
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
        deleteOld: store.deleteOld
      }
    })
  )
}

interface Worker {
  readonly queue: string
  readonly wakeSignals: Queue.Queue<void>
}

/**
 * Returns the id of the scheduled job of a queue at this time, as a UUID of version 8 (RFC 9562, §5.8). Every node
 * computes the same id, so the store has only one job for each time.
 */
const idAt = (queue: string, time: Date): string => {
  const hash = createHash("sha256").update(`${queue} ${time.toISOString()}`).digest("hex")
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
