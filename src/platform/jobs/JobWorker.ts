/**
 * Works on the jobs of one queue. It takes the jobs that are ready to start, runs them, and records the end of each
 * attempt.
 */
import { Cause, Context, Data, Duration, Effect, Exit, Fiber, FiberSet, Queue, Schema } from "effect"
import { elapsedMs } from "../ElapsedTime.ts"
import { collectedSpans, inSpan, type Spans } from "../Spans.ts"
import { storableText } from "../StoredText.ts"
import type { JobQueue, JobsUnavailable } from "./JobQueue.ts"
import type { JobStore, TakenJob } from "./JobStore.ts"

// the maximum number of characters of an error that are stored with the job
const errorMax = 2_000
// pause if a job is due but cannot be taken, for example because another job with its key runs
const pauseMin = Duration.seconds(1)
const pauseMax = Duration.hours(1)
const pauseAfterFailure = Duration.seconds(5)

/** The attempt took longer than its queue allows. */
class AttemptTooLong extends Data.TaggedError("AttemptTooLong")<{ readonly message: string }> {}

/** What a handler learns about the job in addition to its payload. The number of the attempt begins at 1. */
export interface JobAttempt {
  readonly id: string
  readonly attempt: number
}

const textOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return storableText(error instanceof Error ? error.message || error.name : String(error), errorMax)
}

type Store = Context.Tag.Service<JobStore>
type Handler<Payload, E, R> = (payload: Payload, attempt: JobAttempt) => Effect.Effect<unknown, E, R>

/**
 * Makes the effects that tell the store how an attempt ended. If the store does not answer, they log a warning. The
 * attempt then expires in the store, and the job is attempted again.
 */
const endsOf = (store: Store, queue: string) => {
  const logUnstored = (work: Effect.Effect<boolean, JobsUnavailable>) =>
    Effect.catchAll(work, ({ message }) =>
      Effect.logWarning(`A job of ${queue} has ended, but its end could not be stored: ${message}`)
    )
  return {
    succeeded: (job: TakenJob) => logUnstored(store.finish(job)),
    givenBack: (job: TakenJob) => logUnstored(store.giveBack(job)),
    failed: (job: TakenJob, error: string, mayRetry: boolean) =>
      Effect.zipRight(
        Effect.logWarning(`Attempt ${job.attempt} of a job of ${queue} failed: ${error}`),
        logUnstored(store.fail(job, error, mayRetry))
      )
  }
}

/** Makes the function that runs one attempt of a job and records how the attempt ended. */
const attemptsOf = <Payload, Encoded, E, R>(
  store: Store,
  queue: JobQueue<Payload, Encoded>,
  handler: Handler<Payload, E, R>,
  spans: Spans | undefined,
  isStopping: () => boolean
) => {
  const ends = endsOf(store, queue.name)

  /**
   * Runs the handler in a span. If the attempt fails, the span ends without the message of the failure. Only the log
   * has this message.
   */
  const handled = (payload: Payload, { attempt, id }: TakenJob) => {
    const work = handler(payload, { id, attempt })
    return spans === undefined ? work : inSpan(spans, `job ${queue.name}`, work, () => ({ "pod.job.attempt": attempt }))
  }

  const recordEnd = (job: TakenJob, exit: Exit.Exit<unknown, unknown>) => {
    if (Exit.isSuccess(exit)) return ends.succeeded(job)
    const isGivenBack = isStopping() && Cause.isInterruptedOnly(exit.cause)
    return isGivenBack ? ends.givenBack(job) : ends.failed(job, textOf(exit.cause), true)
  }

  const run = (payload: Payload, job: TakenJob, endsMs: number) =>
    Effect.flatMap(elapsedMs, (nowMs) =>
      Effect.timeoutFail(handled(payload, job), {
        duration: Math.max(0, endsMs - nowMs),
        onTimeout: () => new AttemptTooLong({ message: "The attempt took too long." })
      })
    ).pipe(
      Effect.interruptible,
      Effect.exit,
      Effect.flatMap((exit) => recordEnd(job, exit))
    )

  // If the payload of the job does not fit the declaration of the queue, the job is never attempted again, because no
  // attempt could read the payload.
  return (job: TakenJob, endsMs: number) =>
    Effect.matchEffect(Schema.decodeUnknown(queue.payload)(job.payload), {
      onFailure: () => ends.failed(job, "The payload is not what the queue declares.", false),
      onSuccess: (payload) => run(payload, job, endsMs)
    })
}

/**
 * Forks the worker in the scope. Each message in `wakeSignals` means that a job might be ready. When the scope closes,
 * the running jobs are interrupted and given back to the store.
 */
export const startWorker = <Payload, Encoded, E, R>(
  store: Store,
  queue: JobQueue<Payload, Encoded>,
  wakeSignals: Queue.Queue<void>,
  handler: Handler<Payload, E, R>
) =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<void>()
    let running = 0
    let isStopping = false
    let isUnavailable = false
    const attempt = attemptsOf(store, queue, handler, yield* collectedSpans, () => isStopping)

    const ended = Effect.suspend(() => {
      running -= 1
      return Queue.offer(wakeSignals, undefined)
    })

    const start = (job: TakenJob, endsMs: number) =>
      FiberSet.run(fibers, attempt(job, endsMs).pipe(Effect.ensuring(ended), Effect.uninterruptible, Effect.asVoid))

    /**
     * Takes as many jobs as the worker has room for, and starts them. The function cannot be interrupted between the
     * two steps, so every taken job is also started.
     */
    const round = Effect.gen(function* () {
      const room = queue.concurrency - running
      if (room <= 0) return 0
      const endsMs = (yield* elapsedMs) + queue.expireSeconds * 1000
      const jobs = yield* store.take(queue.name, room)
      running += jobs.length
      for (const job of jobs) yield* start(job, endsMs)
      return jobs.length
    }).pipe(Effect.uninterruptible)

    /** Takes and starts jobs. Returns how long the worker then sleeps if no message wakes it earlier. */
    const pause = Effect.gen(function* () {
      const count = yield* round
      isUnavailable = false
      if (count > 0) return Duration.zero
      if (running >= queue.concurrency) return pauseMax
      const nextInMs = yield* store.nextInMs(queue.name)
      if (nextInMs === null) return pauseMax
      // The library pg-boss takes only jobs whose start time has passed, so the worker waits one millisecond longer.
      return nextInMs <= 0 ? pauseMin : Duration.min(pauseMax, Duration.millis(nextInMs + 1))
    }).pipe(
      Effect.catchAll(({ message }) =>
        Effect.as(
          isUnavailable ? Effect.void : Effect.logWarning(`Jobs of ${queue.name} cannot be taken: ${message}`),
          pauseAfterFailure
        ).pipe(Effect.tap(() => Effect.sync(() => (isUnavailable = true))))
      )
    )

    const loop = yield* pause.pipe(
      Effect.flatMap((duration) =>
        Duration.equals(duration, Duration.zero)
          ? Effect.void
          : Effect.raceFirst(Queue.take(wakeSignals), Effect.sleep(duration))
      ),
      Effect.forever,
      Effect.forkDaemon
    )
    yield* Effect.addFinalizer(() => {
      isStopping = true
      return Fiber.interrupt(loop)
    })
  })
