/** If a pod is killed, another pod on the same PostgreSQL runs the unfinished job of the killed pod. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import * as JobSql from "../../src/platform/jobs/JobSql.ts"
import { JobStore } from "../../src/platform/jobs/JobStore.ts"
import { layerPostgres } from "../../src/platform/Postgres.ts"
import { projectRoot } from "../support/migrations.ts"
import { testProgram } from "../support/testProgram.ts"
import { aDatabaseOn, describePostgres } from "../support/postgres.ts"
import { aQueue, reaches, working } from "../platform/jobs/jobCalls.ts"

const patience = 240_000 // In ms. The other pod finds the job after about 16 s, because the attempt must expire first.
const expireSeconds = 1

/** Starts a worker of the queue in a separate process, as a pod does. */
const aProcess = async (url: string, queue: string, expires: number) => {
  const child = spawn(
    process.execPath,
    [await testProgram("test/platform/jobs/jobHolder.ts"), url, queue, String(expires)],
    { stdio: ["ignore", "pipe", "inherit"], cwd: projectRoot }
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  return {
    says: Effect.promise(async () => String((await lines.next()).value)),
    kill: Effect.promise(() => {
      child.kill("SIGKILL")
      return gone
    })
  }
}

describePostgres("a job on PostgreSQL whose pod is killed", (server) => {
  it.live(
    "after a pod is killed, another pod runs the job of the killed pod again, and the number of attempts of this job increases by one",
    () =>
      Effect.gen(function* () {
        const database = yield* Effect.acquireRelease(
          Effect.promise(() => aDatabaseOn(server)),
          ({ drop }) => Effect.promise(drop)
        )
        // The process that the test kills declares the same queue with a longer time limit. The limit of a job is that
        // of the queue when the job was enqueued.
        const queue = aQueue({ expireSeconds })
        const pod = yield* Effect.acquireRelease(
          Effect.promise(() => aProcess(database.url, queue.name, expireSeconds * 60)),
          ({ kill }) => kill
        )
        assert.strictEqual(yield* pod.says, "ready")
        const jobs = Jobs.layer.pipe(
          Layer.provideMerge(JobSql.layer),
          Layer.provide(layerPostgres({ url: Redacted.make(database.url), poolMax: 2, startTimeoutMs: 10_000 }))
        )
        yield* Effect.gen(function* () {
          const { enqueue } = yield* Jobs
          const store = yield* JobStore
          yield* store.declare(queue)
          const id = Option.getOrThrow(yield* enqueue(queue, { note: "left behind" }))
          assert.strictEqual(yield* pod.says, `took ${id} 1`)
          yield* pod.kill
          const { began, next } = yield* working(queue)
          assert.deepStrictEqual(yield* next, { note: "left behind", id, attempt: 2 })
          const { attempts } = yield* reaches(queue, id, "completed")
          assert.strictEqual(attempts, 2)
          assert.strictEqual(yield* began, 0)
        }).pipe(Effect.provide(jobs))
      }).pipe(Effect.scoped),
    patience
  )
})
