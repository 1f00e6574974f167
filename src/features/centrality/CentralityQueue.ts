/**
 * The queue of the jobs that compute rankings. Only one job of each person waits at a time, so several simultaneous
 * requests become one job.
 */
import { Schema } from "effect"
import { Id } from "../../doors/Id.ts"
import { jobQueue } from "../../platform/jobs/JobQueue.ts"

export const CentralityQueue = jobQueue({
  name: "centrality.compute",
  payload: Schema.Struct({ personId: Id }),
  retryLimit: 2,
  retryDelaySeconds: 10,
  expireSeconds: 120,
  concurrency: 1,
  single: "waiting"
})
