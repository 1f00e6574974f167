/** A queue of jobs as a feature declares it, a job as one looks at it, and what the pod says when its jobs are out of reach. */
import { Data, type Schema } from "effect"

/** How the jobs of a queue are kept and tried. */
export interface QueueRules {
  /** Lower case first, then letters, digits, dots and hyphens; 63 at most. */
  readonly name: string
  /** Attempts after the first one that failed. After the last one the job goes to the queue of dead letters. */
  readonly retryLimit: number
  /** The pause before the first retry; it doubles with each further one, and is spread by chance. */
  readonly retryDelaySeconds: number
  /** How long one attempt may take. It is interrupted then, and has failed. Jobs of a killed pod are taken over soon after. */
  readonly expireSeconds: number
  /** How many jobs of the queue one pod works on at a time. */
  readonly concurrency: number
  /** What at most one job may be for each `singletonKey`, and at most one without a key: waiting, or running. */
  readonly single: "nothing" | "waiting" | "running"
}

export interface JobQueue<Payload, Encoded> extends QueueRules {
  readonly payload: Schema.Schema<Payload, Encoded>
}

/** Declares a queue. */
export const jobQueue = <Payload, Encoded>(queue: JobQueue<Payload, Encoded>): JobQueue<Payload, Encoded> => queue

/** Where a job goes that nobody can do: after its last attempt, or when its payload is not what the queue declares. */
export const deadLetterQueue = "dead-letter"

/** The state of one queue. A job waits from when it is enqueued, also where it is meant for later or for another attempt. */
export interface QueueState {
  readonly queue: string
  readonly waiting: number
  readonly running: number
  readonly completed: number
  readonly cancelled: number
  readonly failed: number
  /** How long the oldest of the waiting jobs could have been done already; null: none could. */
  readonly oldestSeconds: number | null
}

export interface JobState {
  readonly state: "waiting" | "running" | "completed" | "cancelled" | "failed"
  /** How often it was tried; the attempt that runs counts. */
  readonly attempts: number
  readonly lastError: string | null
}

/** The store of jobs did not answer. Nothing was enqueued or changed. */
export class JobsUnavailable extends Data.TaggedError("JobsUnavailable")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** Somebody enqueues a job where no part of this pod works on the queue. */
export const undeclared = (queue: string) => new JobsUnavailable({ message: `There is no queue ${queue}.` })
