/**
 * Deletes rows that nobody needs any more: stored answers, sessions, setup links, token counts of models, old
 * invitations, old records of the use of keys, vectors of replaced models, rows of probes, and finished jobs.
 */
import { SqlClient } from "@effect/sql"
import { Cron, DateTime, Effect, Layer, Schema } from "effect"
import { jobQueue } from "../../platform/jobs/JobQueue.ts"
import { daysKept } from "../usage/KeyCall.ts"
import { QuestionVectors } from "../search/QuestionVectors.ts"
import { Vectors } from "../search/Vectors.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { ProbeStore, probeRetention } from "./ProbeStore.ts"

// the times of the work: once an hour, whatever the number of nodes
const times = Cron.unsafeParse("17 * * * *", "UTC")

const SweepQueue = jobQueue({
  name: "system.sweep",
  payload: Schema.Struct({}),
  retryLimit: 2,
  retryDelaySeconds: 60,
  expireSeconds: 300,
  concurrency: 1,
  single: "running"
})

/**
 * Deletes all the rows that nobody needs any more. It never deletes records of people, and repeated runs do no harm.
 */
const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`
  yield* sql`DELETE FROM auth_sessions WHERE expires_at < now()`
  yield* sql`DELETE FROM setup_links WHERE expires_at < now() - interval '30 days'`
  yield* sql`DELETE FROM model_tokens WHERE day < current_date - 30`
  yield* sql`DELETE FROM api_key_days WHERE day < current_date - ${daysKept}::integer`
  yield* sql`DELETE FROM api_key_calls WHERE at < now() - make_interval(days => ${daysKept}::integer)`
  yield* sql`DELETE FROM invitations WHERE expires_at < now() - interval '30 days'`
})

export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { schedule, deleteOld, work } = yield* Jobs
    const vectors = yield* Vectors
    const questions = yield* QuestionVectors
    const forgetReplaced = Effect.flatMap(questions.model, (model) =>
      model === undefined ? Effect.void : vectors.forgetReplaced(model)
    )
    const probes = yield* ProbeStore
    const forgetProbes = Effect.flatMap(DateTime.now, (now) =>
      probes.forgetBefore(DateTime.subtractDuration(now, probeRetention))
    )
    yield* work(SweepQueue, () => Effect.all([sweep, forgetReplaced, forgetProbes, deleteOld], { discard: true }))
    yield* schedule(SweepQueue, times, {})
  }).pipe(Effect.orDie)
)
