/** The embedded database: PGlite in a directory, through the same pool and client as a PostgreSQL server. */
import { PGlite } from "@electric-sql/pglite"
import { createPgConfig } from "@electric-sql/pglite/node-postgres"
import { SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Stream } from "effect"
import pg from "pg"
import {
  checkFiles,
  ensureDirectory,
  prepareDirectory,
  explainSystemErrors,
  refusePartial,
  databaseNotOpened
} from "./DataDirectory.ts"
import { countingDrains } from "./DrainCount.ts"
import { Database } from "./Database.ts"
import { acquire } from "./DirectoryLock.ts"
import { allowVacuum, vacuumRepeatedly } from "./EmbeddedVacuum.ts"
import { migrate, type MigrationPlan, type Owner } from "./Migrations.ts"
import { layerRemembering } from "./RememberedSql.ts"
import { makeWalSync, wrapPglite } from "./WalSync.ts"

const turnWithinMs = 15_000 // longest wait for the only connection, like PostgreSQL's statement timeout; then the answer is 503

export interface EmbeddedOptions {
  /** The pod's data directory; the database lives in `pg` below it. */
  readonly dataDir: string
  /** `wal-sync`: a commit is acknowledged after its log reached the disk. */
  readonly durability: "process" | "wal-sync"
  /** Runs before the schema of a database with data changes. */
  readonly beforeMigration?: NonNullable<MigrationPlan["before"]>
}

/**
 * Opens the database of a directory under a lock that excludes other processes: PGlite has no lock, and two processes in one
 * directory lose rows silently. Fails with DirectoryLocked, which names the holder, and with DataDirectoryUnfit if the database
 * is incomplete or the system refuses access.
 */
export const layerEmbedded = ({ beforeMigration, dataDir, durability }: EmbeddedOptions) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      yield* ensureDirectory(dataDir)
      yield* acquire(dataDir)
      yield* refusePartial(dataDir)
      const directory = `${dataDir}/pg`
      yield* prepareDirectory(dataDir, async (fresh) => (await PGlite.create({ dataDir: fresh })).close())
      const lite = yield* openDirectory(directory)
      if (durability === "wal-sync") {
        const wal = makeWalSync(directory)
        wrapPglite(lite, wal)
        // Registered first, so that the log is closed last: the database needs it until it is closed itself.
        yield* Effect.addFinalizer(() => Effect.promise(() => Promise.resolve(wal.close())))
      }
      return layerPglite(Effect.succeed(lite), beforeMigration)
    }).pipe(explainSystemErrors(dataDir))
  )

/** Opens a database that exists, as it is: the lock of its data directory is held by the caller, and nothing is migrated. */
export const openDirectory = (directory: string) =>
  Effect.gen(function* () {
    const lite = yield* Effect.tryPromise({
      try: () => PGlite.create({ dataDir: directory }),
      catch: (cause) => databaseNotOpened(directory, cause)
    })
    yield* checkTables(lite, directory)
    return lite
  })

/** The connection of the owner of an open database. */
export const ownerOf = (lite: PGlite): Owner => ({
  exec: (text) => lite.exec(text),
  query: (text, values) => lite.query<Record<string, unknown>>(text, [...(values ?? [])]).then(({ rows }) => rows)
})

/** The engine also opens a database with missing table files and fails later, so the files are checked here. */
const checkTables = (lite: PGlite, directory: string) =>
  Effect.flatMap(
    Effect.promise(() =>
      lite.query<{ readonly path: string }>(
        "SELECT pg_relation_filepath(oid) AS path FROM pg_class WHERE pg_relation_filepath(oid) IS NOT NULL"
      )
    ),
    ({ rows }) =>
      checkFiles(
        directory,
        rows.map(({ path }) => path)
      )
  )

/** Migrates an open PGlite and makes its one connection run as pod_app from here on. */
const prepare = (lite: PGlite, before: MigrationPlan["before"]) =>
  Effect.gen(function* () {
    yield* migrate(ownerOf(lite), before === undefined ? {} : { before })
    yield* Effect.promise(() => lite.exec(`${allowVacuum}; SET ROLE pod_app`))
  })

const workFailed = (cause: unknown) =>
  new SqlError.SqlError({ cause, message: cause instanceof Error ? cause.message : "The work on the database failed" })

/** The only connection works as the owner for a while, and then again as the pod. If it cannot go back, it works no more. */
const asOwner = async <A>(lite: PGlite, pool: pg.Pool, work: (owner: Owner) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("RESET ROLE")
    return await work({
      exec: (text) => client.query(text),
      query: (text, values) => client.query<Record<string, unknown>>(text, [...(values ?? [])]).then(({ rows }) => rows)
    })
  } finally {
    await client.query("ROLLBACK; SET ROLE pod_app").catch(() => lite.close())
    client.release()
  }
}

/**
 * The database over an open PGlite. The pool has one connection, so transactions run one after another. When `drained`
 * gets the connection, every earlier transaction has ended, so it does not have to wait.
 */
export const layerPglite = (open: Effect.Effect<PGlite>, beforeMigration?: MigrationPlan["before"]) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const lite = yield* Effect.acquireRelease(open, (opened) => Effect.promise(() => opened.close()))
      yield* prepare(lite, beforeMigration)
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const made = new pg.Pool({ ...createPgConfig(lite), max: 1, connectionTimeoutMillis: turnWithinMs })
          made.on("error", () => {})
          return made
        }),
        (made) => Effect.promise(() => made.end())
      )
      yield* vacuumRepeatedly(pool)
      const ping = Effect.tryPromise({
        // Not pool.query, which would close the only connection after an error.
        try: async () => {
          const client = await pool.connect()
          await client.query("SELECT 1").finally(() => client.release())
        },
        catch: (cause) => new SqlError.SqlError({ cause, message: "The embedded database does not answer" })
      }).pipe(Effect.asVoid)
      const database = Layer.succeed(Database, {
        engine: "embedded" as const,
        pool,
        folder: lite.dataDir,
        asOwner: (work) => Effect.tryPromise({ try: () => asOwner(lite, pool, work), catch: workFailed }),
        ping,
        ...countingDrains(ping),
        // Only one process can use the directory, so there are no other nodes.
        notify: () => Effect.void,
        signals: Stream.never
      })
      return Layer.merge(database, layerRemembering(PgClient.layerFromPool({ acquire: Effect.succeed(pool) })))
    })
  )
