/** Tests how a pod uses its lanes (shared connections) together with its pool of connections. */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { afterAll, beforeAll } from "vitest"
import { Database, sqlStateOf } from "../../src/platform/Database.ts"
import { Payer } from "../../src/platform/FairShare.ts"
import { layerPostgres } from "../../src/platform/Postgres.ts"
import { aMoment } from "../support/aMoment.ts"
import { aLaneScene, type LaneScene, unavailable } from "../support/laneScene.ts"
import { describePostgres } from "../support/postgres.ts"

const patience = { timeout: 240_000 }

describePostgres("the lanes (shared connections) of a pod together with its pool", (server) => {
  let scene: LaneScene
  beforeAll(async () => {
    scene = await aLaneScene(server)
  })
  afterAll(() => scene?.stop())

  const connectionsMax = 8
  let scope: Scope.CloseableScope
  let services: Context.Context<SqlClient.SqlClient | Database>
  beforeAll(async () => {
    scope = Effect.runSync(Scope.make())
    const layer = layerPostgres({ url: Redacted.make(scene.url), poolMax: connectionsMax, startTimeoutMs: 10_000 })
    services = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  // Statements take the fast path only without a tracer. The pod runs without a tracer, so this test turns the tracer
  // off too.
  const ofPod = <A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient | Database>) =>
    Effect.provide(Effect.withTracerEnabled(work, false), services)

  it.effect("lanes (shared connections) and pool together never have more connections than the setting allows", () =>
    ofPod(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const work = (id: number) => {
          const statement = sql<{ readonly id: number; readonly open: number }>`
            SELECT ${id}::int AS id, (SELECT count(*)::int FROM pg_stat_activity
              WHERE application_name = 'pod' AND datname = current_database()) AS open`
          const write = sql<{ readonly id: number; readonly open: number }>`
            SELECT ${id}::int AS id, 0 AS open, pg_advisory_xact_lock(7)::text AS done`
          return id % 3 === 0 ? sql.withTransaction(statement) : id % 3 === 1 ? statement : write
        }
        const ids = Array.from({ length: 300 }, (_, id) => id)
        const rows = yield* Effect.forEach(ids, work, { concurrency: "unbounded" })
        assert.deepStrictEqual(
          rows.map(([row]) => row?.id),
          ids
        )
        assert.isAtMost(Math.max(...rows.map(([row]) => row?.open ?? 0)), connectionsMax)
      })
    )
  )

  it.live(
    "while one credential runs twelve costly reads, database connections stay free for other credentials",
    () =>
      ofPod(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const paidBy = (payer: string) => Effect.provideService(Payer, payer)
          const costly = yield* Effect.fork(
            Effect.all(
              Array.from({ length: 12 }, () => Effect.exit(sql`SELECT pg_sleep(3600), ${1}::int`)),
              { concurrency: "unbounded" }
            ).pipe(paidBy("greedy"))
          )
          // The first reads of this credential run on lanes (shared connections) or on the pool. In the end they use
          // only one of the three connections of the pool.
          const running = Effect.promise(() =>
            scene.holder.query<{ readonly count: number }>(
              `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database()
               AND state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`
            )
          )
          while ((yield* running).rows[0]?.count !== 1) yield* Effect.promise(aMoment)
          for (let count = 0; count < 10; count++) {
            const rows = yield* sql.withTransaction(sql`SELECT ${count}::int AS id`).pipe(paidBy("other"))
            assert.lengthOf(rows, 1)
          }
          yield* Fiber.interrupt(costly)
        })
      ),
    patience
  )

  it.effect(
    "the statements of a transaction run on one connection and in one database transaction, and each statement outside of it runs in its own",
    () =>
      ofPod(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const pid = sql<{ readonly pid: number; readonly xid: string }>`
          SELECT pg_backend_pid() AS pid, pg_current_xact_id()::text AS xid, ${1}::int AS one`
          const inside = Effect.all([pid, pid, pid], { concurrency: "unbounded" })
          const [first, ...others] = (yield* sql.withTransaction(inside)).map(([row]) => row)
          for (const other of others) assert.deepStrictEqual(other, first)
          const outside = (yield* Effect.all([pid, pid, pid])).map(([row]) => row?.xid)
          assert.strictEqual(new Set(outside).size, 3)
        })
      )
  )

  it.effect("a statement that cannot be prepared fails for each of its callers with the error of the statement", () =>
    ofPod(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const failing = Effect.map(Effect.flip(sql`SELECT id FROM no_such_table WHERE id = ${1}`), sqlStateOf)
        const states = yield* Effect.all(
          Array.from({ length: 20 }, () => failing),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([...new Set(states)], ["42P01"])
      })
    )
  )

  it.live(
    "when a revocation waits until the running statements have ended, the pod ends a statement that hangs on a shared connection",
    () =>
      ofPod(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { drained } = yield* Database
          yield* sql`SELECT pg_advisory_xact_lock(8), ${0}::int`
          yield* scene.holds(8)
          const waiting = yield* Effect.fork(Effect.exit(sql`SELECT pg_advisory_xact_lock(8), ${1}::int`))
          yield* scene.waitersFor(8)
          const draining = yield* Effect.fork(drained)
          assert.isTrue(unavailable(yield* Fiber.join(waiting)))
          yield* Fiber.join(draining)
          yield* scene.releases(8)
          assert.strictEqual((yield* sql`SELECT ${2}::int AS id`).length, 1)
        })
      ),
    patience
  )
})
