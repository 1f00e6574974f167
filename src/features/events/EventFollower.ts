/**
 * Does work once for each event of the log, in jobs, after the event was written. Any node can run the next job. The
 * cursor of the consumer is in the database, so no event is missed if a node is killed.
 */
import { type DateTime, type Duration, Effect, Schema } from "effect"
import { Id } from "../../doors/Id.ts"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import { noClient, Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { jobQueue } from "../../platform/jobs/JobQueue.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { readAtMost } from "../../platform/ResultSize.ts"
import { EventCursors, type LoggedEvent } from "./EventCursors.ts"

const eventsAtOnce = 500
const attemptMs = 30_000 // milliseconds; after this time a job ends, and a new job continues its work
const spacesAtOnce = 50

const noPersonId = "00000000-0000-0000-0000-000000000000"

export interface EventConsumer {
  /** The name of the consumer. It is also the name of its job queue and of its cursors. */
  readonly name: string
  /**
   * The reason why the pod itself reads the log. It is stored with the access rights that the pod gives itself for this
   * work.
   */
  readonly reason: string
  /**
   * Does the work for events of one space, in the transaction that moves the cursor. The work can read and change only
   * this space.
   */
  readonly take: (spaceId: string, events: ReadonlyArray<LoggedEvent>) => Effect.Effect<void, unknown, Reach>
  /**
   * The time from which the work needs events. A new cursor begins at this time. If the time is null, no cursor moves,
   * and writes of this node do not wake the consumer: it looks again after `pollEvery`.
   */
  readonly since: Effect.Effect<DateTime.Utc | null>
  /** The types of the events that the consumer needs. Undefined if it needs every event. */
  readonly types?: ReadonlyArray<string>
  /** How often the consumer looks for events of other nodes. An event of this node wakes the consumer immediately. */
  readonly pollEvery: Duration.DurationInput
  /**
   * The minimum time between two searches for new events. With this pause, one search finds the events of many small
   * writes.
   */
  readonly pause: Duration.DurationInput
}

/** Runs the consumer: follows the log until the scope closes. */
export const followEvents = Effect.fnUntraced(function* ({
  pollEvery,
  name,
  pause,
  reason,
  since,
  take,
  types
}: EventConsumer) {
  const jobs = yield* Jobs
  const cursors = yield* EventCursors
  const { atomically } = yield* Transaction
  const queue = jobQueue({
    name,
    payload: Schema.Struct({ spaceId: Id }),
    retryLimit: 5,
    retryDelaySeconds: 1,
    expireSeconds: 60,
    concurrency: 2,
    single: "waiting"
  })

  /** Reads the next events of a space and does the work for them. Returns true if there might be more events. */
  const step = (spaceId: string) =>
    Effect.gen(function* () {
      const begin = yield* since
      if (begin === null) return false
      const seq = yield* cursors.lock(name, spaceId, begin)
      const { found, limit } = yield* readAtMost(eventsAtOnce, (most) => cursors.after(spaceId, seq, most))
      const { events, lastSeq, read } = found
      if (lastSeq === undefined) return false
      yield* take(spaceId, events)
      yield* cursors.move(name, spaceId, lastSeq)
      return read === limit
    }).pipe(
      Effect.provideService(
        Reach,
        systemReach(reason, noPersonId, [spaceId], { operation: name, requestId: uuidv7(), client: noClient })
      ),
      atomically
    )

  yield* Effect.orDie(
    jobs.work(
      queue,
      Effect.fnUntraced(function* ({ spaceId }) {
        const until = (yield* elapsedMs) + attemptMs
        while (yield* step(spaceId)) if ((yield* elapsedMs) > until) return
      })
    )
  )
  let isNeeded = true
  const poll = Effect.gen(function* () {
    isNeeded = (yield* since) !== null
    if (!isNeeded) return
    const spaces = yield* cursors.spacesWithUnread(name, spacesAtOnce, types)
    yield* Effect.forEach(spaces, (spaceId) => jobs.enqueue(queue, { spaceId }, { singletonKey: spaceId }), {
      discard: true
    })
  })
  let known = 0
  // If nothing needs the events, such as on a pod without automations, writes do not wake the consumer. Its search
  // would find nothing.
  const written = Effect.suspend(() => (isNeeded ? cursors.news.next(known) : Effect.never)).pipe(
    Effect.map((writes) => void (known = writes)),
    Effect.delay(pause)
  )
  yield* pollRepeatedly(name, pollEvery, poll, written)
})

/**
 * Runs `poll` repeatedly, until the scope closes. After each run, waits for the time `every` or until the effect `news`
 * ends, whichever is earlier. If several runs in a row fail, logs only the first failure.
 */
export const pollRepeatedly = <E, R>(
  name: string,
  every: Duration.DurationInput,
  poll: Effect.Effect<unknown, E, R>,
  news: Effect.Effect<unknown> = Effect.never
) => {
  let hasFailed = false
  const once = Effect.matchCauseEffect(poll, {
    onSuccess: () => Effect.sync(() => void (hasFailed = false)),
    onFailure: (cause) =>
      Effect.suspend(() => {
        const isFirst = !hasFailed
        hasFailed = true
        return isFirst ? Effect.logWarning(`The pod cannot look for work of ${name}`, cause) : Effect.void
      })
  })
  return Effect.asVoid(
    Effect.forkScoped(Effect.forever(Effect.zipRight(once, Effect.raceFirst(news, Effect.sleep(every)))))
  )
}
