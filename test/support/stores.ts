/** The stores of the pod on each engine, with the people and workspaces that the suite of a store needs. */
import { SqlClient, type SqlError } from "@effect/sql"
import { afterAll, beforeAll, describe } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, TestClock } from "effect"
import { Reach, type ReachShape } from "../../src/doors/Reach.ts"
import { Revocations } from "../../src/doors/Revocations.ts"
import { layerPglite } from "../../src/platform/Embedded.ts"
import { layerPostgres } from "../../src/platform/Postgres.ts"
import { MemoryDatabase } from "../../src/platform/MemoryDatabase.ts"
import * as TheStores from "../../src/Stores.ts"
import { anEmbedded } from "./pgliteImage.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "./postgres.ts"
import { sharedLayer } from "./sharedLayer.ts"

/** The engine of a test. `aDayLater` moves the time of stored rows by a day; each engine does this in its own way. */
export class Engine extends Context.Tag("test/Engine")<
  Engine,
  { readonly isSql: boolean; readonly aDayLater: Effect.Effect<void> }
>() {}

export type Stores = TheStores.Stores | Engine

const inMemory: Layer.Layer<Stores> = Layer.mergeAll(
  TheStores.layerMemory,
  Layer.succeed(Engine, { isSql: false, aDayLater: TestClock.adjust("25 hours") })
).pipe(Layer.provide([Revocations.layer, MemoryDatabase.layer]))

/** Runs the work as the owner of the tables, in its own transaction, on PGlite or PostgreSQL. */
export const asOwner = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(Effect.orDie(sql`SET LOCAL ROLE NONE`), work).pipe(sql.withTransaction, dieOnSql)
  )

const dieOnSql = <A, E, R>(work: Effect.Effect<A, E | SqlError.SqlError, R>): Effect.Effect<A, E, R> =>
  Effect.catchIf(
    work,
    (error): error is SqlError.SqlError => (error as { readonly _tag?: unknown } | null)?._tag === "SqlError",
    Effect.die
  ) as Effect.Effect<A, E, R>

const engineInSql = Layer.effect(
  Engine,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    isSql: true,
    aDayLater: Effect.orDie(sql`UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'`).pipe(
      Effect.zipRight(TestClock.adjust("25 hours"))
    )
  }))
)

const inSql = Layer.merge(TheStores.layerSql, engineInSql)

export type SqlStores = Stores | SqlClient.SqlClient

export interface SqlOptions {
  /** A statement that runs once on the new database, as its owner. */
  readonly first?: Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>
  readonly poolMax?: number
}

const prepared = (database: Layer.Layer<SqlClient.SqlClient, unknown>, { first = Effect.void }: SqlOptions) =>
  Layer.orDie(
    Layer.provideMerge(inSql, Layer.provideMerge(Layer.effectDiscard(asOwner(first)), database)) as Layer.Layer<
      SqlStores,
      unknown
    >
  )

/** Runs the suite on PGlite and on PostgreSQL, each with a new database. */
export const onEachDatabase = (
  noun: string,
  suite: (stores: Layer.Layer<SqlStores>) => void,
  options: SqlOptions = {}
): void => {
  describe(`${noun} on PGlite`, () =>
    suite(sharedLayer(() => prepared(layerPglite(Effect.promise(() => anEmbedded())), options))))
  describePostgres(`${noun} on PostgreSQL`, (server) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await aDatabaseOn(server)
    })
    afterAll(() => database?.drop())
    const { poolMax = 8 } = options
    suite(
      sharedLayer(() =>
        prepared(layerPostgres({ url: Redacted.make(database.url), poolMax, startTimeoutMs: 10_000 }), options)
      )
    )
  })
}

/** Runs the contract suite of a store on memory, PGlite and PostgreSQL. */
export const onEachEngine = (noun: string, suite: (stores: Layer.Layer<Stores>) => void): void => {
  describe(`${noun} in memory`, () => suite(sharedLayer(() => inMemory)))
  onEachDatabase(noun, suite)
}

/** Runs the work with this reach. */
export const withReach =
  (reach: ReachShape) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Reach>> =>
    Effect.provideService(work, Reach, reach)
