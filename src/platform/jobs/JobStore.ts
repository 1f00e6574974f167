/**
 * The store of jobs, and its version in memory. Jobs that a transaction enqueues are committed together with the
 * transaction.
 */
import { Array, Clock, Context, Effect, Layer } from "effect"
import { MemoryDatabase, memoryTable, type Rows, type WritableRows } from "../MemoryDatabase.ts"
import {
  deadLetterQueue,
  type JobState,
  type JobsUnavailable,
  type QueueRules,
  type QueueState,
  unknownQueue
} from "./JobQueue.ts"

export interface NewJob {
  readonly id: string
  readonly queue: string
  /** The payload, encoded with the schema of the queue. */
  readonly payload: unknown
  readonly afterSeconds: number
  readonly singletonKey: string | null
}

/**
 * A job that this node works on. `attempt` is the number of the attempt and begins at 1. The store later uses this
 * number to check whether this node still works on the job.
 */
export interface TakenJob {
  readonly id: string
  readonly queue: string
  readonly payload: unknown
  readonly attempt: number
}

export class JobStore extends Context.Tag("pod/JobStore")<
  JobStore,
  {
    /** Creates the queue with these rules. If the queue exists, it gets these rules. */
    readonly declare: (rules: QueueRules) => Effect.Effect<void, JobsUnavailable>
    /**
     * Adds a job. Returns false if a job with this id exists. Also returns false if a job with this key waits and the
     * queue allows only one waiting job for each key.
     */
    readonly add: (job: NewJob) => Effect.Effect<boolean, JobsUnavailable>
    /** Takes jobs whose start time has come, oldest first. The jobs count as running from now on. */
    readonly take: (queue: string, limit: number) => Effect.Effect<ReadonlyArray<TakenJob>, JobsUnavailable>
    /**
     * Returns the number of milliseconds until the next job of the queue can be taken. Zero or less means now, and null
     * means that no job waits.
     */
    readonly nextInMs: (queue: string) => Effect.Effect<number | null, JobsUnavailable>
    // Records the success of an attempt. If the attempt is already over, for example because it took too long, this
    // method, `fail` and `giveBack` change nothing and return false.
    readonly finish: (job: TakenJob) => Effect.Effect<boolean, JobsUnavailable>
    /**
     * Records a failed attempt. The job is attempted again later, if `mayRetry` is true and attempts are left.
     * Otherwise the job goes to the dead letters.
     */
    readonly fail: (job: TakenJob, error: string, mayRetry: boolean) => Effect.Effect<boolean, JobsUnavailable>
    /** Undoes the attempt, so that it does not count and another worker can take the job at once. */
    readonly giveBack: (job: TakenJob) => Effect.Effect<boolean, JobsUnavailable>
    /**
     * Cancels a job. Returns false if no such job waited or ran. A running attempt is not interrupted, but its success
     * or failure is not recorded.
     */
    readonly cancel: (queue: string, id: string) => Effect.Effect<boolean, JobsUnavailable>
    readonly find: (queue: string, id: string) => Effect.Effect<JobState | null, JobsUnavailable>
    /** The state of each queue that has jobs, ordered by the name of the queue. */
    readonly states: Effect.Effect<ReadonlyArray<QueueState>, JobsUnavailable>
    /**
     * Marks as failed the attempts that took longer than their queue allows. These are the attempts of killed nodes.
     */
    readonly expire: Effect.Effect<void, JobsUnavailable>
    /** Removes from the queues the jobs that ended more than half a day ago. */
    readonly deleteOld: Effect.Effect<void, JobsUnavailable>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { atomically, rows } = yield* MemoryDatabase
      const queues = new Map<string, QueueRules>()
      const read = <A>(work: (rows: Rows, nowMs: number) => A) =>
        Effect.map(Effect.all([rows, Clock.currentTimeMillis]), ([current, nowMs]) => work(current, nowMs))
      const write = <A>(work: (rows: WritableRows, nowMs: number) => A) =>
        atomically((current) => Effect.map(Clock.currentTimeMillis, (nowMs) => work(current, nowMs)))
      /** Changes the job if this attempt of the job still runs. */
      const settle = (job: TakenJob, settled: (row: JobRow, rows: WritableRows, nowMs: number) => JobRow) =>
        write((current, nowMs) => {
          const row = current.find(jobTable, job.id)
          if (row?.state !== "running" || row.attempts !== job.attempt) return false
          current.put(jobTable, settled(row, current, nowMs))
          return true
        })

      return {
        declare: (rules) => Effect.sync(() => void queues.set(rules.name, rules)),
        add: ({ afterSeconds, id, payload, queue, singletonKey }) =>
          atomically(
            Effect.fnUntraced(function* (current) {
              const nowMs = yield* Clock.currentTimeMillis
              const rules = queues.get(queue)
              if (rules === undefined) return yield* unknownQueue(queue)
              const hasWaiting = ofQueue(current, queue).some(
                (row) => row.state === "waiting" && row.attempts === 0 && row.singletonKey === singletonKey
              )
              if (current.find(jobTable, id) !== undefined) return false
              if (rules.single === "waiting" && hasWaiting) return false
              const dueMs = nowMs + afterSeconds * 1000
              const fresh = { state: "waiting", attempts: 0, startedMs: 0, endedMs: 0, lastError: null } as const
              current.put(jobTable, { ...fresh, id, queue, payload, singletonKey, dueMs, rules })
              return true
            })
          ),
        take: (queue, limit) =>
          write((current, nowMs) => {
            const jobs: globalThis.Array<TakenJob> = []
            for (const row of ofQueue(current, queue)) {
              if (jobs.length === limit) break
              if (row.state !== "waiting" || row.dueMs > nowMs || isBlocked(current, row)) continue
              const attempts = row.attempts + 1
              current.put(jobTable, { ...row, state: "running", attempts, startedMs: nowMs })
              jobs.push({ id: row.id, queue, payload: row.payload, attempt: attempts })
            }
            return jobs
          }),
        nextInMs: (queue) =>
          read((current, nowMs) => {
            const waiting = ofQueue(current, queue).filter(({ state }) => state === "waiting")
            return waiting.length === 0 ? null : Math.min(...waiting.map(({ dueMs }) => dueMs)) - nowMs
          }),
        finish: (job) => settle(job, (row, _, endedMs) => ({ ...row, state: "completed", endedMs, lastError: null })),
        fail: (job, error, mayRetry) =>
          settle(job, (row, current, nowMs) => failJob(current, row, nowMs, error, mayRetry)),
        giveBack: (job) =>
          settle(job, (row, _, dueMs) => ({ ...row, state: "waiting", attempts: row.attempts - 1, dueMs })),
        cancel: (queue, id) =>
          write((current, endedMs) => {
            const row = current.find(jobTable, id)
            if (row?.queue !== queue || (row.state !== "waiting" && row.state !== "running")) return false
            current.put(jobTable, { ...row, state: "cancelled", endedMs })
            return true
          }),
        find: (queue, id) =>
          read((current) => {
            const row = current.find(jobTable, id)
            if (row?.queue !== queue) return null
            return { state: row.state, attempts: row.attempts, lastError: row.lastError }
          }),
        states: read((current, nowMs) =>
          Object.entries(Array.groupBy(current.all(jobTable), ({ queue }) => queue))
            .toSorted(([one], [other]) => (one < other ? -1 : 1))
            .map(([queue, jobs]) => stateOf(queue, jobs, nowMs))
        ),
        expire: write((current, nowMs) => {
          for (const row of current.all(jobTable)) {
            if (row.state !== "running" || row.startedMs + row.rules.expireSeconds * 1000 > nowMs) continue
            current.put(jobTable, failJob(current, row, nowMs, "The attempt took too long.", true))
          }
        }),
        deleteOld: write((current, nowMs) => {
          for (const row of current.all(jobTable)) {
            if (row.endedMs > 0 && row.endedMs + keptMs < nowMs) current.remove(jobTable, row.id)
          }
        })
      }
    })
  )
}

// how long the pod keeps a job that has ended
const keptMs = 12 * 3_600_000

interface JobRow {
  readonly id: string
  readonly queue: string
  readonly payload: unknown
  readonly singletonKey: string | null
  readonly state: JobState["state"]
  readonly attempts: number
  readonly dueMs: number
  readonly startedMs: number
  /** The time when the job ended, in milliseconds since 1970. 0 if it has not ended. */
  readonly endedMs: number
  readonly lastError: string | null
  readonly rules: QueueRules
}

const jobTable = memoryTable<JobRow>("jobs", ({ id }) => id)

const ofQueue = (rows: Rows, queue: string) => rows.all(jobTable).filter((row) => row.queue === queue)

/** True if this job must not start yet, because another job with the same key runs. */
const isBlocked = (rows: Rows, { queue, rules, singletonKey }: JobRow): boolean =>
  rules.single === "running" &&
  ofQueue(rows, queue).some((other) => other.state === "running" && other.singletonKey === singletonKey)

/**
 * Returns the job after a failed attempt. Either the job waits for the next attempt, or it has failed and a copy of it
 * is added to the dead letters.
 */
const failJob = (rows: WritableRows, row: JobRow, nowMs: number, lastError: string, mayRetry: boolean): JobRow => {
  if (mayRetry && row.attempts <= row.rules.retryLimit) {
    const delayMs = row.rules.retryDelaySeconds * 1000 * 2 ** (row.attempts - 1)
    return { ...row, state: "waiting", dueMs: nowMs + delayMs, lastError }
  }
  const letter = { id: `${row.id} dead`, queue: deadLetterQueue, state: "waiting", attempts: 0, dueMs: nowMs } as const
  rows.put(jobTable, { ...row, ...letter, lastError })
  return { ...row, state: "failed", endedMs: nowMs, lastError }
}

const stateOf = (queue: string, jobs: ReadonlyArray<JobRow>, nowMs: number): QueueState => {
  const count = (state: JobState["state"]) => jobs.filter((row) => row.state === state).length
  const due = jobs.filter((row) => row.state === "waiting" && row.dueMs <= nowMs).map(({ dueMs }) => dueMs)
  return {
    queue,
    waiting: count("waiting"),
    running: count("running"),
    completed: count("completed"),
    cancelled: count("cancelled"),
    failed: count("failed"),
    oldestSeconds: due.length === 0 ? null : (nowMs - Math.min(...due)) / 1000
  }
}
