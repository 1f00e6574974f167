/**
 * Runs as a separate process: a worker on the given database. The worker begins one job, reports it, and never ends it.
 */
import { Effect, Layer, Redacted, Schema } from "effect"
import { jobQueue } from "../../../src/platform/jobs/JobQueue.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import * as JobSql from "../../../src/platform/jobs/JobSql.ts"
import { layerPostgres } from "../../../src/platform/Postgres.ts"
import { aQueue } from "./jobCalls.ts"

const [url = "", name = "", expire = ""] = process.argv.slice(-3)

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const program = Effect.gen(function* () {
  const { work } = yield* Jobs
  const queue = aQueue({ name, expireSeconds: Number(expire) })
  yield* work(jobQueue({ ...queue, payload: Schema.Unknown }), (_, { attempt, id }) =>
    Effect.zipRight(say(`took ${id} ${attempt}`), Effect.never)
  )
  yield* say("ready")
  return yield* Effect.never
}).pipe(
  Effect.scoped,
  Effect.provide(
    Jobs.layer.pipe(
      Layer.provide(JobSql.layer),
      Layer.provide(layerPostgres({ url: Redacted.make(url), poolMax: 2, startTimeoutMs: 10_000 }))
    )
  )
)

await Effect.runPromise(program)
