/**
 * Jobs with the library pg-boss, over the pod's own connections. The pod uses only the tables and the statements of the
 * library. The library opens no connection and starts no timer. The SQL client runs the statements, so they are part of
 * the caller's transaction.
 */
import { SqlClient, SqlError } from "@effect/sql"
import { Effect, Layer, Predicate, Runtime, Schedule } from "effect"
import PgBoss from "pg-boss"
import { isUniqueViolation } from "../Database.ts"
import {
  deadLetterQueue,
  type JobState,
  JobsUnavailable,
  type QueueRules,
  type QueueState,
  unknownQueue
} from "./JobQueue.ts"
import { JobStore, type TakenJob } from "./JobStore.ts"

/**
 * Seconds that are added to the time limit of an attempt. At the limit, the node that runs the attempt interrupts it.
 * Another node can take the job only after these further seconds. By then the interrupted attempt has normally ended.
 */
const graceSeconds = 5

// the maximum number of waiting jobs of a queue that are counted; an index makes this fast
const jobsCountedMax = 10_000

/**
 * The maximum number of jobs of a queue that are read to count the running and the ended jobs, without an index. A
 * queue keeps its ended jobs for half a day, so a full count could take seconds each time somebody reads the metrics.
 */
const jobsReadMax = 50_000

const policies = { nothing: "standard", waiting: "short", running: "singleton" } as const satisfies Record<
  QueueRules["single"],
  PgBoss.QueuePolicy
>

const stateNames = {
  created: "waiting",
  retry: "waiting",
  active: "running",
  completed: "completed",
  cancelled: "cancelled",
  failed: "failed"
} as const satisfies Record<PgBoss.JobWithMetadata["state"], JobState["state"]>

/**
 * The data of a job as it is stored. The data contains the name of the queue, because pg-boss omits this name when it
 * copies a job to the dead-letter queue. The data is an object, because pg-boss stores only objects.
 */
interface StoredJobData {
  readonly queue: string
  readonly payload: unknown
}

const jobsUnavailable = (cause: unknown) =>
  new JobsUnavailable({
    message: `The store of jobs failed: ${cause instanceof SqlError.SqlError ? String(cause.cause) : String(cause)}`,
    cause
  })

/** Returns the message of a stored failure. In a failure of pg-boss itself, the message is one level deeper. */
const errorOf = (output: unknown): string | null => {
  const messageIn = (value: unknown) => (Predicate.hasProperty(value, "message") ? value.message : undefined)
  const message = messageIn(output) ?? (Predicate.hasProperty(output, "value") ? messageIn(output.value) : undefined)
  return typeof message === "string" ? message : null
}

export const layer = Layer.effect(
  JobStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const isInTransaction = Effect.map(
      Effect.serviceOption(SqlClient.TransactionConnection),
      ({ _tag }) => _tag === "Some"
    )

    /**
     * Runs a text of several statements that contains its own BEGIN and COMMIT. If a statement fails, the connection
     * rolls back, so that no transaction stays open.
     */
    const inOwnTransaction = (text: string) =>
      Effect.scoped(
        Effect.flatMap(sql.reserve, (connection) =>
          Effect.tapError(connection.executeUnprepared(text, [], undefined), () =>
            Effect.ignore(connection.executeUnprepared("ROLLBACK", [], undefined))
          )
        )
      )
    const execute = (text: string, values: ReadonlyArray<unknown> | undefined) =>
      values === undefined && /^\s*BEGIN;/.test(text)
        ? Effect.as(inOwnTransaction(text), [])
        : sql.unsafe<object>(text, values)

    /**
     * Makes a connection object for pg-boss. The statements of this connection run in a fiber. `failure` is the error
     * of the failed statement, if any.
     */
    const connectionOf = (runtime: Runtime.Runtime<never>) => {
      const connection: PgBoss.Db & { failure: SqlError.SqlError | undefined } = {
        failure: undefined,
        executeSql: async (text, values) => {
          const ran = await Runtime.runPromise(runtime)(Effect.either(execute(text, values)))
          if (ran._tag === "Right") return { rows: [...ran.right] }
          connection.failure = ran.left
          throw ran.left
        }
      }
      return connection
    }
    const library = new PgBoss({
      db: connectionOf(yield* Effect.runtime()),
      migrate: false,
      supervise: false,
      schedule: false
    })

    /**
     * Calls pg-boss on the connection of this fiber. Fails if a statement failed, even if pg-boss treats the failed
     * statement as a result without rows. The call cannot be interrupted, but its statements have time limits.
     */
    const call = <A>(work: (db: PgBoss.Db) => Promise<A>): Effect.Effect<A, SqlError.SqlError> =>
      Effect.flatMap(Effect.runtime(), (runtime) => {
        const db = connectionOf(runtime)
        return Effect.tryPromise({
          try: async () => {
            const answer = await work(db)
            if (db.failure !== undefined) throw db.failure
            return answer
          },
          catch: (cause) =>
            cause instanceof SqlError.SqlError
              ? cause
              : new SqlError.SqlError({ cause, message: "The job library failed" })
        })
      }).pipe(Effect.uninterruptible)

    const orUnavailable = <A>(work: Effect.Effect<A, SqlError.SqlError>) => Effect.mapError(work, jobsUnavailable)

    /**
     * Runs the statement `holding`, which locks the row of the job, and then the work in the same transaction. If the
     * attempt is already over, the function does not run the work and returns false.
     */
    const settle = (
      holding: Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>,
      work: Effect.Effect<unknown, SqlError.SqlError>
    ) =>
      Effect.flatMap(holding, (rows) => (rows.length === 0 ? Effect.succeed(false) : Effect.as(work, true))).pipe(
        sql.withTransaction,
        orUnavailable
      )
    const lockAttempt = ({ attempt, id, queue }: TakenJob) => sql`
      SELECT id FROM pgboss.job
      WHERE name = ${queue} AND id = ${id}::uuid AND state = 'active' AND retry_count = ${attempt - 1}
      FOR UPDATE`
    const lockLastAttempt = ({ attempt, id, queue }: TakenJob) => sql`
      UPDATE pgboss.job SET retry_limit = retry_count
      WHERE name = ${queue} AND id = ${id}::uuid AND state = 'active' AND retry_count = ${attempt - 1}
      RETURNING id`

    return {
      declare: (rules) => {
        const options = {
          policy: policies[rules.single],
          retryLimit: rules.retryLimit,
          retryDelay: rules.retryDelaySeconds,
          retryBackoff: true,
          expireInSeconds: rules.expireSeconds + graceSeconds,
          deadLetter: deadLetterQueue
        }
        // Creating a queue locks the tables of jobs. This can end in a deadlock with the work of another node, so the
        // pod tries again.
        return Effect.retry(
          orUnavailable(
            Effect.asVoid(sql`SELECT pgboss.declare_queue(${rules.name}, ${JSON.stringify(options)}::json)`)
          ),
          Schedule.intersect(Schedule.recurs(5), Schedule.jittered(Schedule.spaced("100 millis")))
        )
      },
      add: ({ afterSeconds, id, payload, queue, singletonKey }) => {
        const data: StoredJobData = { queue, payload }
        const options = {
          id,
          ...(afterSeconds > 0 ? { startAfter: afterSeconds } : {}),
          ...(singletonKey === null ? {} : { singletonKey })
        }
        const added = Effect.gen(function* () {
          if ((yield* call((db) => library.send(queue, data, { ...options, db }))) !== null) return true
          // The library pg-boss returns null both for a job that already exists and for a queue that does not exist.
          const known = yield* sql`SELECT name FROM pgboss.queue WHERE name = ${queue}`
          if (known.length === 0) return yield* unknownQueue(queue)
          return false
        })
        return isInTransaction.pipe(
          // Inside a transaction, the job is added in a savepoint. If the job cannot be added, the transaction of the
          // caller can still continue.
          Effect.flatMap((isWithin) => (isWithin ? sql.withTransaction(added) : added)),
          Effect.mapError((error) => (error._tag === "JobsUnavailable" ? error : jobsUnavailable(error)))
        )
      },
      take: (queue, limit) =>
        call((db) => library.fetch<StoredJobData>(queue, { batchSize: limit, includeMetadata: true, db })).pipe(
          Effect.map((jobs) =>
            jobs.map(({ data, id, retryCount }) => ({ id, queue, payload: data.payload, attempt: retryCount + 1 }))
          ),
          // Only one job with this key is allowed to run at a time, and another node runs one now.
          Effect.catchIf(isUniqueViolation, () => Effect.succeed([])),
          orUnavailable
        ),
      nextInMs: (queue) =>
        orUnavailable(
          Effect.map(
            sql<{ readonly ms: number | null }>`
              SELECT ceil(extract(epoch FROM min(start_after) - clock_timestamp()) * 1000)::float8 AS ms
              FROM pgboss.job
              WHERE name = ${queue} AND state < 'active'`,
            ([row]) => row?.ms ?? null
          )
        ),
      finish: (job) =>
        settle(
          lockAttempt(job),
          call((db) => library.complete(job.queue, job.id, {}, { db }))
        ),
      fail: (job, error, mayRetry) =>
        settle(
          mayRetry ? lockAttempt(job) : lockLastAttempt(job),
          call((db) => library.fail(job.queue, job.id, { message: error }, { db }))
        ),
      giveBack: ({ attempt, id, queue }) =>
        orUnavailable(
          Effect.map(
            // The library pg-boss counts an attempt only if the job has a start time. So the pod removes the start
            // time, and this attempt does not count.
            sql`
              UPDATE pgboss.job SET state = 'retry', started_on = NULL, start_after = now() - interval '1 millisecond'
              WHERE name = ${queue} AND id = ${id}::uuid AND state = 'active' AND retry_count = ${attempt - 1}
              RETURNING id`,
            (rows) => rows.length > 0
          )
        ),
      cancel: (queue, id) =>
        orUnavailable(
          Effect.map(
            call(
              (db) => library.cancel(queue, id, { db }) as Promise<unknown> as Promise<{ readonly affected: number }>
            ),
            ({ affected }) => affected > 0
          )
        ),
      find: (queue, id) =>
        orUnavailable(
          Effect.map(
            call((db) => library.getJobById<StoredJobData>(queue, id, { includeArchive: true, db })),
            (job) =>
              job === null
                ? null
                : {
                    state: stateNames[job.state],
                    attempts: job.startedOn === null ? job.retryCount : job.retryCount + 1,
                    lastError: errorOf(job.output)
                  }
          )
        ),
      states: orUnavailable(
        sql<QueueState>`
          SELECT queue.name AS queue, waits.waiting, begun.running, begun.completed, begun.cancelled, begun.failed,
            extract(epoch FROM now() - oldest.start_after)::float8 AS "oldestSeconds"
          FROM pgboss.queue queue
          CROSS JOIN LATERAL (
            SELECT count(*)::integer AS waiting
            FROM (
              SELECT 1 FROM pgboss.job job
              WHERE job.name = queue.name AND job.state < 'active'
              LIMIT ${jobsCountedMax}) one) waits
          CROSS JOIN LATERAL (
            SELECT (count(*) FILTER (WHERE state = 'active'))::integer AS running,
              (count(*) FILTER (WHERE state = 'completed'))::integer AS completed,
              (count(*) FILTER (WHERE state = 'cancelled'))::integer AS cancelled,
              (count(*) FILTER (WHERE state = 'failed'))::integer AS failed,
              count(*) AS total
            FROM (SELECT job.state FROM pgboss.job job WHERE job.name = queue.name LIMIT ${jobsReadMax}) one) begun
          LEFT JOIN LATERAL (
            SELECT min(job.start_after) AS start_after FROM pgboss.job job
            WHERE job.name = queue.name AND job.state < 'active' AND job.start_after <= now()) oldest ON true
          WHERE begun.total > 0
          ORDER BY queue.name COLLATE "C"`
      ),
      // `expire` and `deleteOld` maintain all queues, so they run outside the caller's transaction, on connections of the
      // pool.
      expire: orUnavailable(call(() => library.expire())),
      deleteOld: orUnavailable(call(() => library.maintain()))
    }
  })
)
