/** The declaration of a queue of jobs, the state of a job, and the failure if the store of jobs cannot be reached. */
import { Data, type Schema } from "effect"

/** The rules by which the jobs of a queue are stored and attempted. */
export interface QueueRules {
  /**
   * The name of the queue. The name begins with a lower-case letter and has at most 63 letters, digits, dots and
   * hyphens.
   */
  readonly name: string
  /**
   * How often the pod tries again after the first attempt has failed. After the last attempt the job goes to the
   * dead-letter queue.
   */
  readonly retryLimit: number
  /** The pause before the first retry. It doubles with each further retry, and is varied at random. */
  readonly retryDelaySeconds: number
  /**
   * The longest time of one attempt. The attempt is then interrupted and counts as failed. Soon after this time,
   * another node takes over the jobs of a killed node.
   */
  readonly expireSeconds: number
  /** How many jobs of the queue one node works on at a time. */
  readonly concurrency: number
  /**
   * Limits the jobs with the same `singletonKey`. `waiting`: only one of them is allowed to wait. `running`: only one
   * of them is allowed to run. `nothing`: there is no limit. All jobs without a key count as jobs with one common key.
   */
  readonly single: "nothing" | "waiting" | "running"
}

export interface JobQueue<Payload, Encoded> extends QueueRules {
  readonly payload: Schema.Schema<Payload, Encoded>
}

/** Declares a queue. Returns the queue unchanged, because the call only infers and checks its types. */
export const jobQueue = <Payload, Encoded>(queue: JobQueue<Payload, Encoded>): JobQueue<Payload, Encoded> => queue

/**
 * The queue of jobs that cannot be done. A job goes there after its last failed attempt, or if its payload does not fit
 * the declaration of its queue.
 */
export const deadLetterQueue = "dead-letter"

/**
 * The state of one queue. A job counts as waiting from the moment it is enqueued, even if it has a later start time or
 * waits for another attempt. For a very large queue, the numbers are lower bounds. The pod counts at most 10,000
 * waiting jobs, and reads at most 50,000 jobs to count the running and the ended jobs.
 */
export interface QueueState {
  readonly queue: string
  readonly waiting: number
  readonly running: number
  readonly completed: number
  readonly cancelled: number
  readonly failed: number
  /** How many seconds ago the oldest waiting job became due. Null if no waiting job is due yet. */
  readonly oldestSeconds: number | null
}

export interface JobState {
  readonly state: "waiting" | "running" | "completed" | "cancelled" | "failed"
  /** The number of attempts so far, including an attempt that runs now. */
  readonly attempts: number
  readonly lastError: string | null
}

/** The store of jobs did not answer, and nothing was enqueued or changed. */
export class JobsUnavailable extends Data.TaggedError("JobsUnavailable")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** Makes the failure for a job of a queue that no part of this pod has declared. */
export const unknownQueue = (queue: string) => new JobsUnavailable({ message: `There is no queue ${queue}.` })
