/** The stores of the pod on each storage engine, with the people and workspaces that the suite of a store needs. */
import { SqlClient, type SqlError } from "@effect/sql"
import { afterAll, beforeAll, describe } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Redacted, TestClock } from "effect"
import { Reach, type ReachShape } from "../../src/doors/Reach.ts"
import { Revocations } from "../../src/doors/Revocations.ts"
import type { Entity } from "../../src/features/entities/Entity.ts"
import { entityTable, filingTable } from "../../src/features/entities/EntityTable.ts"
import { layerPglite } from "../../src/platform/Embedded.ts"
import { layerPostgres } from "../../src/platform/Postgres.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { MemoryDatabase } from "../../src/platform/MemoryDatabase.ts"
import * as TheStores from "../../src/Stores.ts"
import { anEmbedded } from "./pgliteImage.ts"
import { aDatabaseOn, describePostgres, postgresUrl, type TestDatabase } from "./postgres.ts"
import { sharedLayer } from "./sharedLayer.ts"
import { isLong } from "./storages.ts"

/** Many new entities, all filed in one project. `kinds` has the number of entities of each kind. */
interface ManyEntities {
  readonly spaceId: string
  readonly personId: string
  readonly projectId: string
  readonly kinds: Readonly<Record<string, number>>
}

/**
 * The storage engine on which a test runs (memory, PGlite or PostgreSQL), with the functions that differ between the
 * engines.
 */
export class Engine extends Context.Tag("test/Engine")<
  Engine,
  {
    readonly isSql: boolean
    /** Makes all stored rows a day older. */
    readonly aDayLater: Effect.Effect<void>
    /** Adds many entities at once, because a separate write of each entity would take too long. */
    readonly fillProject: (many: ManyEntities) => Effect.Effect<void>
  }
>() {}

export type Stores = TheStores.Stores | Engine

const engineInMemory = Layer.effect(
  Engine,
  Effect.map(MemoryDatabase, ({ atomically }) => ({
    isSql: false,
    aDayLater: TestClock.adjust("25 hours"),
    fillProject: ({ kinds, personId: userId, projectId, spaceId }: ManyEntities) =>
      atomically((rows) =>
        Effect.sync(() => {
          const createdAt = DateTime.unsafeMake(0)
          for (const [kind, count] of Object.entries(kinds)) {
            for (let n = 0; n < count; n += 1) {
              const entity: Entity = {
                id: uuidv7(),
                profileSlug: kind,
                type: kind,
                title: `${kind} ${n}`,
                preview: null,
                description: null,
                properties: {},
                systemData: {},
                userId,
                workspaceId: spaceId,
                documentId: null,
                version: 1,
                createdAt,
                updatedAt: createdAt
              }
              rows.put(entityTable, { entity, spaceId, isArchived: false })
              rows.put(filingTable, { id: uuidv7(), spaceId, entityId: entity.id, projectId, userId, createdAt })
            }
          }
        })
      )
  }))
)

const inMemory: Layer.Layer<Stores> = Layer.mergeAll(TheStores.layerMemory, engineInMemory).pipe(
  Layer.provide([Revocations.layer, MemoryDatabase.layer])
)

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
    ),
    fillProject: ({ kinds, personId, projectId, spaceId }: ManyEntities) =>
      Effect.forEach(
        Object.entries(kinds),
        ([kind, count]) => sql`
          WITH made AS (
            INSERT INTO entities (id, space_id, profile_slug, title, properties, user_id, actor_id)
            SELECT gen_random_uuid(), ${spaceId}::uuid, ${kind}, ${kind} || n, '{}', ${personId}::uuid, ${personId}::uuid
            FROM generate_series(1, ${count}::integer) n
            RETURNING id, space_id)
          INSERT INTO entity_projects (space_id, entity_id, project_id)
          SELECT made.space_id, made.id, ${projectId}::uuid FROM made`
      ).pipe(
        // Without new statistics, PostgreSQL assumes that the tables are small. In a pod, the database makes new
        // statistics within a minute.
        Effect.zipRight(sql`ANALYZE entities, entity_projects`),
        asOwner,
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.orDie,
        Effect.asVoid
      )
  }))
)

const inSql = Layer.merge(TheStores.layerSql, engineInSql)

export type SqlStores = Stores | SqlClient.SqlClient

export interface SqlOptions {
  /** A statement that runs once on the new database, with the rights of the database owner. */
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

type SqlSuite = (stores: Layer.Layer<SqlStores>) => void

const onPglite = (noun: string, suite: SqlSuite, options: SqlOptions): void => {
  describe(`${noun} on PGlite`, () =>
    suite(sharedLayer(() => prepared(layerPglite(Effect.promise(() => anEmbedded())), options))))
}

const onPostgres = (noun: string, suite: SqlSuite, options: SqlOptions): void =>
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

/** Runs the suite on PGlite and on PostgreSQL, each with a new database. */
export const onEachDatabase = (noun: string, suite: SqlSuite, options: SqlOptions = {}): void => {
  onPglite(noun, suite, options)
  onPostgres(noun, suite, options)
}

/**
 * Runs a suite that calls all stores. It runs on only one database engine: PostgreSQL, or PGlite if the test run has no
 * server. The long test run uses PGlite. One engine is enough, because the same statements run on both, and the
 * contract suite of each store runs on both.
 */
export const onOneEngine = (noun: string, suite: SqlSuite, options: SqlOptions = {}): void =>
  isLong || postgresUrl === null ? onPglite(noun, suite, options) : onPostgres(noun, suite, options)

/** Runs the contract suite of a store in memory, on PGlite and on PostgreSQL. */
export const onEachEngine = (noun: string, suite: (stores: Layer.Layer<Stores>) => void): void => {
  describe(`${noun} in memory`, () => suite(sharedLayer(() => inMemory)))
  onEachDatabase(noun, suite)
}

export const withReach =
  (reach: ReachShape) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Reach>> =>
    Effect.provideService(work, Reach, reach)
