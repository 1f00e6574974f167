/** The database on a PostgreSQL server (15 or later): a pool whose connections run as pod_app. */
import { SqlClient, SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, type Redacted, Schedule, Stream } from "effect"
import pg from "pg"
import { Database, NamedClient, type Signal, sqlStateOf } from "./Database.ts"
import { migrate } from "./Migrations.ts"
import { openTransactions, podTransactionsEnded } from "./PodTransactions.ts"
import { acquirePool, connectWithinMs, heard, leave, query, sever } from "./PostgresPool.ts"
import { appRole, connectionFor } from "./PostgresSession.ts"
import { layerRemembering } from "./RememberedSql.ts"

const channel = "pod_signals"
const pingWithin = "2 seconds" // who asks whether the pod is ready does not wait longer
const pulseEvery = "5 seconds"
const pulseWithinMs = 2_000 // of a connection that carries a few bytes a minute
export interface PostgresOptions {
  readonly url: Redacted.Redacted
  readonly poolMax: number
  /** How long the first connection is tried for before the pod gives up starting. */
  readonly startTimeoutMs: number
}

/**
 * Whether waiting may help: nobody answers yet, or the server is still starting or full. A refused login, a database
 * that is not there and a migration that fails are the same a minute later.
 */
const mayPass = (error: SqlError.SqlError): boolean => {
  const state = sqlStateOf(error)
  return state === undefined || state.startsWith("08") || state.startsWith("57") || state === "53300"
}

/** Connects as the owner, brings the schema up to date, and leaves. Retries while the server cannot be reached. */
const migrateAsOwner = (options: PostgresOptions) =>
  Effect.acquireUseRelease(
    Effect.tryPromise({
      try: async () => {
        const owner = heard(
          new pg.Client({ ...connectionFor("migration", options.url), connectionTimeoutMillis: connectWithinMs })
        )
        await owner.connect()
        return owner
      },
      catch: (cause) => new SqlError.SqlError({ cause, message: "Failed to connect" })
    }),
    (owner) => migrate({ exec: (text) => owner.query(text), query: (text) => owner.query(text).then((r) => r.rows) }),
    leave
  ).pipe(
    Effect.tapErrorTag("SqlError", (error) =>
      mayPass(error) ? Effect.logInfo("The database does not answer yet; trying again.") : Effect.void
    ),
    Effect.retry({
      schedule: Schedule.exponential("100 millis").pipe(
        Schedule.union(Schedule.spaced("2 seconds")),
        Schedule.upTo(options.startTimeoutMs)
      ),
      while: (error) => error._tag === "SqlError" && mayPass(error)
    })
  )

/** Asks the listener's connection for a sign of life now and then, and breaks it when there is none. */
const assured = (listener: pg.Client) =>
  Effect.repeat(
    Effect.promise(() => listener.query("SELECT 1").catch(() => sever(listener, "The listener's line is silent."))),
    Schedule.spaced(pulseEvery)
  )

const startListening = async (listener: pg.Client) => {
  try {
    await listener.connect()
    await listener.query(`LISTEN ${channel}`)
  } catch (cause) {
    sever(listener, "Nobody listens.")
    throw cause
  }
  return listener
}

/** One dedicated connection that hears what other nodes tell, opened again whenever it is lost. */
const listen = (url: Redacted.Redacted): Stream.Stream<Signal> =>
  Stream.asyncPush<Signal, SqlError.SqlError>((emit) =>
    Effect.acquireRelease(
      Effect.tryPromise({
        try: () => {
          const listener = heard(
            new pg.Client({
              ...connectionFor("listener", url),
              connectionTimeoutMillis: pulseWithinMs,
              query_timeout: pulseWithinMs
            })
          )
          listener.on("end", () =>
            emit.fail(new SqlError.SqlError({ cause: new Error("ended"), message: "Listener lost" }))
          )
          listener.on("notification", (message) => {
            const [kind, id] = (message.payload ?? "").split(" ")
            if ((kind === "revoked" || kind === "changed") && id !== undefined) emit.single({ kind, id })
          })
          return startListening(listener)
        },
        catch: (cause) => new SqlError.SqlError({ cause, message: "Failed to listen" })
      }),
      leave
    ).pipe(Effect.tap((listener) => Effect.forkScoped(assured(listener))))
  ).pipe(Stream.retry(Schedule.spaced("1 second")), Stream.orDie)

/** Row-level security binds the pod only while it works as pod_app: anything else is a reason not to start. */
const checkRole = (pool: pg.Pool) =>
  Effect.flatMap(query<{ name: string }>(pool, "SELECT current_user AS name"), ({ rows }) =>
    rows[0]?.name === appRole
      ? Effect.void
      : Effect.fail(
          new SqlError.SqlError({
            message: "Wrong role",
            cause: new Error(
              `The connection works as ${rows[0]?.name}, not as ${appRole}: what stands between the pod and PostgreSQL keeps the options of a connection from it.`
            )
          })
        )
  )

/** Fails with SqlError when the server stays unreachable for `startTimeoutMs`. */
export const layerPostgres = (options: PostgresOptions) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      yield* migrateAsOwner(options)
      const { poolMax, url } = options
      const pool = yield* acquirePool({ ...connectionFor("work", url), max: poolMax, Client: NamedClient })
      yield* checkRole(pool)
      const overseer = yield* acquirePool({ ...connectionFor("overseer", url), max: 2 })
      // Asked once before anything is served: revocation rests on the answer.
      yield* openTransactions(overseer)
      const database = Layer.succeed(Database, {
        engine: "postgres" as const,
        pool,
        ping: query(pool, "SELECT 1").pipe(
          Effect.asVoid,
          Effect.timeoutFail({
            duration: pingWithin,
            onTimeout: () => new SqlError.SqlError({ cause: new Error("silent"), message: "The database is silent" })
          })
        ),
        drained: podTransactionsEnded(overseer),
        tell: (signal) =>
          Effect.ignore(query(pool, "SELECT pg_notify($1, $2)", [channel, `${signal.kind} ${signal.id}`])),
        told: listen(url)
      })
      return Layer.merge(database, layerRemembering(PgClient.layerFromPool({ acquire: Effect.succeed(pool) })))
    })
  ) satisfies Layer.Layer<Database | SqlClient.SqlClient | PgClient.PgClient, unknown>
