/** The database on a PostgreSQL server (15 or later). The connections of its pool run as `pod_app`. */
import { SqlClient, SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted, Schedule, Stream } from "effect"
import pg from "pg"
import { connectionFault } from "./ConnectionFaults.ts"
import { Database, NamedClient, type CacheSignal } from "./Database.ts"
import { countDrains } from "./DrainCount.ts"
import { fairShare } from "./FairShare.ts"
import { acquireLanes, laneCounts } from "./Lanes.ts"
import { elapsedMs } from "./ElapsedTime.ts"
import { schemaStep } from "./StartSteps.ts"
import { migrate, type MigrationPlan, migrations } from "./Migrations.ts"
import { ownerOfClient, workFailed } from "./OwnerWork.ts"
import { openTransactions, podTransactionsEnded } from "./PodTransactions.ts"
import { parsedUrl } from "./ParsedUrl.ts"
import { acquirePool, connectWithinMs, disconnect, query, breakConnection, withErrorListener } from "./PostgresPool.ts"
import { appRole, connectionFor } from "./PostgresSession.ts"
import { layerRemembering } from "./RememberedSql.ts"
import { type StoreSomething, writeProbe } from "./WriteProbe.ts"

const channel = "pod_signals"
// the time limit of a ping; it is not longer than the wait of a readiness probe
const pingWithin = "2 seconds"
const pulseEvery = "5 seconds"
// longest wait for the answer to a test query on the listener's connection
const pulseWithinMs = 2_000
export interface PostgresOptions {
  readonly url: Redacted.Redacted
  readonly poolMax: number
  /** How long the pod tries to connect before the start fails. */
  readonly startTimeoutMs: number
  /** Runs before a migration changes the schema of a database that has data. */
  readonly beforeMigration?: NonNullable<MigrationPlan["before"]>
}

/** Where a database is, for messages: its host, port and name, without the user and the password. */
export const databasePlace = (url: Redacted.Redacted): string => {
  const parsed = parsedUrl(Redacted.value(url))
  if (parsed === undefined) return "the address of POD_DATABASE_URL"
  const { hostname, pathname, port } = parsed
  return `${hostname}:${port || 5432}${pathname}`
}

/** Opens a connection to the server as the owner of the database, for work on the database as a whole. */
export const connectOwner = (url: Redacted.Redacted) =>
  Effect.tryPromise({
    try: async () => {
      const owner = withErrorListener(
        new pg.Client({ ...connectionFor("migration", url), connectionTimeoutMillis: connectWithinMs })
      )
      await owner.connect()
      return owner
    },
    catch: (cause) => new SqlError.SqlError({ cause, message: "Failed to connect" })
  })

/** Connects as the owner, brings the schema up to date and disconnects. Retries while the server cannot be reached. */
const migrateAsOwner = (options: PostgresOptions) => {
  // the message is logged once, because the pod tries again every two seconds
  let isLogged = false
  const sayWaiting = Effect.suspend(() => {
    if (isLogged) return Effect.void
    isLogged = true
    const seconds = options.startTimeoutMs / 1000
    return Effect.logInfo(
      `The database at ${databasePlace(options.url)} does not answer yet; the pod tries again for ${seconds} s.`
    )
  })
  return Effect.acquireUseRelease(
    connectOwner(options.url),
    Effect.fnUntraced(function* (owner) {
      const beganMs = yield* elapsedMs
      const applied = yield* migrate(
        ownerOfClient(owner),
        options.beforeMigration === undefined ? {} : { before: options.beforeMigration }
      )
      const tookMs = (yield* elapsedMs) - beganMs
      // If this start has applied all migrations, the database was new.
      yield* schemaStep({ place: "on PostgreSQL", isNew: applied.length === migrations.length, applied, tookMs })
    }),
    disconnect
  ).pipe(
    Effect.tapErrorTag("SqlError", (error) => (connectionFault(error).mayPass ? sayWaiting : Effect.void)),
    Effect.retry({
      schedule: Schedule.exponential("100 millis").pipe(
        Schedule.union(Schedule.spaced("2 seconds")),
        Schedule.upTo(options.startTimeoutMs)
      ),
      while: (error) => error._tag === "SqlError" && connectionFault(error).mayPass
    })
  )
}

/** Sends a small query on the listener's connection every few seconds, and breaks the connection if no answer comes. */
const checkAlive = (listener: pg.Client) =>
  Effect.repeat(
    Effect.promise(() =>
      listener
        .query("SELECT 1")
        .catch(() => breakConnection(listener, "The connection of the listener does not answer."))
    ),
    Schedule.spaced(pulseEvery)
  )

const startListening = async (listener: pg.Client) => {
  try {
    await listener.connect()
    await listener.query(`LISTEN ${channel}`)
  } catch (cause) {
    breakConnection(listener, "The listener could not be started.")
    throw cause
  }
  return listener
}

/** Returns the signals of other nodes. Whenever the connection to the server is lost, it is opened again. */
const listenForSignals = (url: Redacted.Redacted): Stream.Stream<CacheSignal> =>
  Stream.asyncPush<CacheSignal, SqlError.SqlError>((emit) =>
    Effect.acquireRelease(
      Effect.tryPromise({
        try: () => {
          const listener = withErrorListener(
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
      disconnect
    ).pipe(Effect.tap((listener) => Effect.forkScoped(checkAlive(listener))))
  ).pipe(Stream.retry(Schedule.spaced("1 second")), Stream.orDie)

/**
 * Checks the role of the connections. Row-level security applies to the pod only if its connections run as `pod_app`.
 * With another role the pod does not start.
 */
const checkRole = (pool: pg.Pool) =>
  Effect.flatMap(query<{ name: string }>(pool, "SELECT current_user AS name"), ({ rows }) =>
    rows[0]?.name === appRole
      ? Effect.void
      : Effect.fail(
          new SqlError.SqlError({
            message: "Wrong role",
            cause: new Error(
              `The connection runs as ${rows[0]?.name}, not as ${appRole}: something between the pod and PostgreSQL, such as a pooler, drops the options of a connection.`
            )
          })
        )
  )

/**
 * Takes new space on the disk, to test whether there is any. The query sorts more rows than fit into the small work
 * memory, so the server has to write a temporary file. The server removes the file at once.
 */
const takeRoom = `SET LOCAL work_mem = '64kB';
  SELECT count(*) FROM (SELECT md5(n::text) || repeat(' ', 1000) AS line FROM generate_series(1, 1000) n ORDER BY line OFFSET 0) lines`

const changeRow = "UPDATE public.write_probes SET tried_at = now()"

const withinPing = <A>(query: Effect.Effect<A, SqlError.SqlError>) =>
  Effect.timeoutFail(Effect.asVoid(query), {
    duration: pingWithin,
    onTimeout: () => new SqlError.SqlError({ cause: new Error("silent"), message: "The database does not answer" })
  })

/**
 * Makes the test write on a connection of the overseer (`PostgresSession.ts`), because the pool might be busy even if
 * the database works.
 */
const storeOn =
  (pool: pg.Pool): StoreSomething =>
  (isThorough) =>
    withinPing(query(pool, isThorough ? `BEGIN; ${changeRow}; ${takeRoom}; COMMIT` : changeRow))

/** The database on a PostgreSQL server. Fails with `SqlError` if the server cannot be reached for `startTimeoutMs`. */
export const layerPostgres = (options: PostgresOptions) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      yield* migrateAsOwner(options)
      const { poolMax, url } = options
      const counts = laneCounts(poolMax)
      const poolConnections = poolMax - counts.read - counts.write
      const overseer = yield* acquirePool({ ...connectionFor("overseer", url), max: 2 })
      const probe = writeProbe(storeOn(overseer))
      const pool = yield* acquirePool(
        {
          ...connectionFor("work", url),
          max: poolConnections,
          Client: NamedClient
        },
        probe.onSqlState
      )
      yield* checkRole(pool)
      // A revocation must see the open transactions. So the pod checks that it can see them before it serves requests.
      yield* openTransactions(overseer)
      const lanes = yield* acquireLanes({ ...counts, url, onSqlState: probe.onSqlState })
      const share = fairShare({ total: poolConnections })
      const database = Layer.succeed(Database, {
        engine: "postgres" as const,
        durability: null,
        pool,
        folder: undefined,
        asOwner: (work) =>
          Effect.acquireUseRelease(
            connectOwner(url),
            (client) => Effect.tryPromise({ try: () => work(ownerOfClient(client)), catch: workFailed }),
            disconnect
          ),
        ping: withinPing(query(pool, "SELECT 1")),
        writable: probe.check,
        waiting: () => share.waiting() + pool.waitingCount + lanes.waiting(),
        ...countDrains(podTransactionsEnded(overseer)),
        notify: (signal) =>
          Effect.ignore(query(pool, "SELECT pg_notify($1, $2)", [channel, `${signal.kind} ${signal.id}`])),
        signals: listenForSignals(url)
      })
      return Layer.merge(
        database,
        layerRemembering(PgClient.layerFromPool({ acquire: Effect.succeed(pool) }), share, lanes)
      )
    })
  ) satisfies Layer.Layer<Database | SqlClient.SqlClient | PgClient.PgClient, unknown>
