/** The embedded database: PGlite in a directory, through the same pool and client as a PostgreSQL server. */
import { PGlite } from "@electric-sql/pglite"
import { SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Runtime, Stream } from "effect"
import pg from "pg"
import { checkFiles, databaseNotOpened, refuseDamage, refuseIncomplete } from "./DatabaseCompleteness.ts"
import { ensureDirectory, explainSystemErrors, prepareDirectory, refusePartial } from "./DataDirectory.ts"
import { countDrains } from "./DrainCount.ts"
import { Database } from "./Database.ts"
import { acquire } from "./DirectoryLock.ts"
import { isDiskFull } from "./DiskRoom.ts"
import { diskFull, engineOf, filesRefused, onAbort, EngineBroken, type Engine } from "./EmbeddedEngine.ts"
import { elapsedMs } from "./ElapsedTime.ts"
import { schemaStep } from "./StartSteps.ts"
import { makeEmbedded } from "./EmbeddedImage.ts"
import { allowVacuum, vacuumRepeatedly } from "./EmbeddedVacuum.ts"
import { refusesChanges } from "./FileAccess.ts"
import { fairShare } from "./FairShare.ts"
import { migrate, type MigrationPlan, type Owner } from "./Migrations.ts"
import { ownerOfClient, workFailed } from "./OwnerWork.ts"
import { planCacheMode } from "./PostgresSession.ts"
import { layerRemembering } from "./RememberedSql.ts"
import { makeWalSync, wrapPglite, type WalSync } from "./WalSync.ts"
import { writeProbe } from "./WriteProbe.ts"

// the longest wait for the connection, equal to PostgreSQL's statement timeout; after that time the pod answers 503
const turnWithinMs = 15_000

export interface EmbeddedOptions {
  /** The data directory of the pod. The database is in its folder `pg`. */
  readonly dataDir: string
  /** `wal-sync`: a commit is acknowledged only after its log has reached the disk. */
  readonly durability: "process" | "wal-sync"
  /** True if the pod serves requests from other processes, and not only one command. */
  readonly isServer?: boolean
  /** Runs before a migration changes the schema of a database that has data. */
  readonly beforeMigration?: NonNullable<MigrationPlan["before"]>
}

/**
 * Opens the database of a directory under a lock that excludes other processes. PGlite has no lock of its own, and two
 * processes in one directory lose rows without an error. Fails with `DirectoryLocked`, which names the process that
 * holds the lock. Fails with `DataDirectoryUnfit` if the database is incomplete or the system refuses access.
 */
export const layerEmbedded = ({ beforeMigration, dataDir, durability, isServer }: EmbeddedOptions) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      yield* ensureDirectory(dataDir)
      yield* acquire(dataDir, isServer === true ? "starting" : undefined)
      yield* refusePartial(dataDir)
      const directory = `${dataDir}/pg`
      const beganMs = yield* elapsedMs
      const isNew = yield* prepareDirectory(dataDir, (directory) => makeEmbedded(directory, "schema"))
      let wal: WalSync | undefined
      const watched = (lite: PGlite) => {
        if (durability === "process") return lite
        const former = wal
        wal = makeWalSync(directory)
        wrapPglite(lite, wal)
        void former?.close().catch(() => undefined)
        return lite
      }
      const lite = watched(yield* openDirectory(directory))
      // Finalizers run in the reverse order of their registration. This finalizer is registered first, so the files of
      // the log stay open until the database itself is closed.
      yield* Effect.addFinalizer(() => Effect.promise(() => Promise.resolve(wal?.close())))
      const runPromise = Runtime.runPromise(yield* Effect.runtime())
      const reopen = () => runPromise(openDirectory(directory)).then(watched)
      const migrated = (applied: ReadonlyArray<string>) =>
        Effect.flatMap(elapsedMs, (nowMs) =>
          schemaStep({ place: `in ${directory}`, isNew, applied, tookMs: nowMs - beganMs })
        )
      return layerPglite(Effect.succeed(lite), { beforeMigration, migrated, reopen, folder: directory, durability })
    }).pipe(explainSystemErrors(dataDir))
  )

/** Opens an existing database without a migration. The caller must hold the lock of its data directory. */
export const openDirectory = Effect.fnUntraced(function* (directory: string) {
  yield* refuseIncomplete(directory)
  yield* refuseDamage(directory)
  const lite = yield* Effect.tryPromise({
    try: () => PGlite.create({ dataDir: directory }),
    catch: (cause) => databaseNotOpened(directory, cause)
  })
  yield* checkTables(lite, directory)
  return lite
})

/**
 * Makes a connection to an open database with the rights of its owner. If the engine aborts, the statements of this
 * connection fail. Statements that call the engine directly would then never return.
 */
export const ownerOf = (lite: PGlite): Owner => {
  const broken = new Promise<never>((_, reject) =>
    onAbort(lite, () => setImmediate(() => reject(new EngineBroken("The embedded database has stopped."))))
  )
  broken.catch(() => undefined)
  const orBroken = <A>(answer: Promise<A>): Promise<A> => Promise.race([answer, broken])
  return {
    exec: (text) => orBroken(lite.exec(text)),
    query: (text, values) =>
      orBroken(lite.query<Record<string, unknown>>(text, [...(values ?? [])]).then(({ rows }) => rows))
  }
}

/**
 * Checks that the table files exist. If some are missing, the engine still opens the database, and fails only later.
 */
const checkTables = (lite: PGlite, directory: string) =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () =>
        ownerOf(lite).query(
          "SELECT pg_relation_filepath(oid) AS path FROM pg_class WHERE pg_relation_filepath(oid) IS NOT NULL"
        ),
      catch: (cause) => databaseNotOpened(directory, cause)
    }),
    (rows) =>
      checkFiles(
        directory,
        rows.map(({ path }) => String(path))
      )
  )

/** Gives the only connection the rights of the role `pod_app`. */
const becomePod = (owner: Owner) =>
  owner.exec(`${allowVacuum}; SET plan_cache_mode = ${planCacheMode}; SET ROLE pod_app`)

/** Migrates an open PGlite, and then makes its connection run with the rights of the pod. */
const prepare = Effect.fnUntraced(function* (lite: PGlite, { beforeMigration: before, migrated }: PgliteOptions) {
  const owner = ownerOf(lite)
  const applied = yield* migrate(owner, before === undefined ? {} : { before })
  if (migrated !== undefined) yield* migrated(applied)
  yield* Effect.tryPromise({ try: () => becomePod(owner), catch: workFailed })
})

/**
 * Runs `work` on the only connection with the rights of the owner of the database. Then gives the connection the rights
 * of the pod again. If the connection cannot get these rights, the pod stops using the engine, so that no call runs as
 * the owner.
 */
const asOwner = async <A>(engine: Engine, pool: pg.Pool, work: (owner: Owner) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("RESET ROLE")
    return await work(ownerOfClient(client))
  } finally {
    await client.query("ROLLBACK; SET ROLE pod_app").catch(engine.giveUp)
    client.release()
  }
}

export interface PgliteOptions {
  readonly beforeMigration?: MigrationPlan["before"]
  /** The pod calls this function after the migration, with the names of the applied migrations. */
  readonly migrated?: (applied: ReadonlyArray<string>) => Effect.Effect<void>
  /** Opens the database again after its engine has aborted. */
  readonly reopen?: () => Promise<PGlite>
  /** The folder of the database; undefined for a database in memory. */
  readonly folder?: string
  /** What a confirmed write survives; undefined for a database in memory. */
  readonly durability?: EmbeddedOptions["durability"]
}

/**
 * Runs one statement on the only connection. The function does not use `pool.query`, because that would close the
 * connection after an error.
 */
const statement = (pool: pg.Pool, text: string, message: string) =>
  Effect.tryPromise({
    try: async () => {
      const client = await pool.connect()
      await client.query(text).finally(() => client.release())
    },
    catch: (cause) => new SqlError.SqlError({ cause, message })
  })

/**
 * Returns the reason why the files of the database cannot be changed. Returns undefined if they can be changed. A test
 * write cannot replace this check, because a small write can succeed even if the files cannot be changed.
 */
const fileFault = (folder: string): SqlError.SqlError | undefined => {
  if (isDiskFull(folder)) return new SqlError.SqlError({ cause: diskFull(), message: "No room is left" })
  if (refusesChanges(folder))
    return new SqlError.SqlError({ cause: filesRefused(), message: "The files are read-only" })
  return undefined
}

/**
 * The database over an open PGlite. The pool has one connection, so transactions run one after another. When `drained`
 * gets the connection, every earlier transaction has already ended, so `drained` needs no other wait.
 */
export const layerPglite = (open: Effect.Effect<PGlite>, options: PgliteOptions = {}) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const { folder, reopen } = options
      const reopened = async (openAgain: () => Promise<PGlite>) => {
        const lite = await openAgain()
        await becomePod(ownerOf(lite))
        return lite
      }
      const { engine, lite } = yield* Effect.acquireRelease(
        Effect.map(open, (opened) => ({
          lite: opened,
          engine: engineOf(opened, {
            reopen: reopen && (() => reopened(reopen)),
            folder,
            onSqlState: (state) => probe.onSqlState(state)
          })
        })),
        (instance) => Effect.promise(instance.engine.close)
      )
      yield* prepare(lite, options)
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const newPool = new pg.Pool({ Client: engine.Client, max: 1, connectionTimeoutMillis: turnWithinMs })
          newPool.on("error", () => {})
          return newPool
        }),
        (newPool) => Effect.promise(() => newPool.end())
      )
      yield* vacuumRepeatedly(pool)
      const ping = statement(pool, "SELECT 1", "The embedded database does not answer")
      const probe = writeProbe(() => {
        const fault = folder === undefined ? undefined : fileFault(folder)
        return fault === undefined
          ? statement(pool, "UPDATE public.write_probes SET tried_at = now()", "The embedded database stores nothing")
          : Effect.fail(fault)
      })
      const share = fairShare({ total: 1 })
      const database = Layer.succeed(Database, {
        engine: "embedded" as const,
        durability: options.durability ?? null,
        pool,
        folder: lite.dataDir,
        asOwner: (work) => Effect.tryPromise({ try: () => asOwner(engine, pool, work), catch: workFailed }),
        ping,
        writable: probe.check,
        waiting: () => share.waiting() + pool.waitingCount,
        ...countDrains(ping),
        // Only one process can use the directory, so there are no other nodes.
        notify: () => Effect.void,
        signals: Stream.never
      })
      return Layer.merge(database, layerRemembering(PgClient.layerFromPool({ acquire: Effect.succeed(pool) }), share))
    })
  )
