/**
 * Statements that share a connection (a lane) get their own answers, and a statement that waits for a lock does not
 * delay a read.
 */
import { SqlError } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Fiber } from "effect"
import { afterAll, beforeAll } from "vitest"
import { sqlStateOf } from "../../src/platform/Database.ts"
import { type StatementRunner, laneCounts } from "../../src/platform/Lanes.ts"
import { settingsOf } from "../../src/platform/PostgresSession.ts"
import { yieldToEventLoop } from "../../src/platform/EventLoop.ts"
import { aMoment } from "../support/aMoment.ts"
import { aLaneScene, echo, type LaneScene, lanesAt, noPool, noRoom, onLane, take } from "../support/laneScene.ts"
import { describePostgres } from "../support/postgres.ts"

const patience = { timeout: 240_000 }

describe("the number of lanes (shared connections)", () => {
  it.prop(
    "lanes (shared connections) leave at least two connections to the pool, whatever the largest number of connections is",
    [FastCheck.integer({ min: 2, max: 500 })],
    ([max]) => {
      const { read, write } = laneCounts(max)
      assert.isAtLeast(max - read - write, 2)
    }
  )
})

describePostgres("statements that share a connection", (server) => {
  let scene: LaneScene
  beforeAll(async () => {
    scene = await aLaneScene(server)
  })
  afterAll(() => scene?.stop())

  it.scoped("a lane (shared connection) runs with the role and the settings of the pod's other connections", () =>
    Effect.gen(function* () {
      const lanes = (yield* lanesAt(scene.url))(noPool)
      // The lanes (shared connections) of this test have the same time limits as the pod's other connections. In a pod
      // they have shorter limits, which other tests check.
      for (const [name, value] of Object.entries(settingsOf("work"))) {
        const [row] = yield* onLane(lanes, "SELECT current_setting($1) AS value", [name])
        const shown = (row as { readonly value: string }).value
        const plain = /^\d+s$/.test(shown)
          ? `${Number.parseInt(shown) * 1000}`
          : shown.replaceAll(" ", "").toLowerCase()
        assert.strictEqual(plain, value.replaceAll(" ", "").toLowerCase(), name)
      }
      const [who] = yield* onLane(
        lanes,
        "SELECT current_user::text AS role, current_setting('application_name') AS name"
      )
      assert.deepStrictEqual({ ...who }, { role: "pod_app", name: "pod" })
    })
  )

  /** The kinds of statements that a caller can send. Each answer must contain the number of its caller. */
  const asked = FastCheck.constantFrom(
    "answer",
    "rows",
    "other text",
    "fail",
    "cannot prepare",
    "interrupt",
    "setting",
    "look"
  )
  it.effect.prop(
    "if statements share a database connection, each caller gets its own rows or its own error",
    [FastCheck.array(asked, { minLength: 2, maxLength: 60 })],
    ([questions]) =>
      Effect.scoped(
        Effect.gen(function* () {
          // If a shared connection cannot prepare a statement, the statement runs again here, on another connection.
          // There it fails with the same error.
          const again: StatementRunner = {
            execute: (text, values) =>
              Effect.tryPromise({
                try: () => scene.holder.query(text, [...values]).then(({ rows }) => rows),
                catch: (cause) => new SqlError.SqlError({ cause, message: "Failed to execute statement" })
              })
          }
          const lanes = (yield* lanesAt(scene.url))(again)
          yield* onLane(lanes, echo, [0])
          const stateOf = (text: string, values: ReadonlyArray<unknown>) =>
            Effect.map(Effect.flip(lanes.execute(text, values, undefined)), sqlStateOf)
          const plainly = (text: string, values: ReadonlyArray<unknown>) =>
            Effect.map(lanes.execute(text, values, undefined), (rows) => rows.map((row) => ({ ...row })))
          const one = (question: (typeof questions)[number], id: number) =>
            Effect.gen(function* () {
              switch (question) {
                case "answer":
                  return assert.deepStrictEqual(yield* plainly(echo, [id]), [{ id }])
                case "rows": {
                  const rows = yield* plainly("SELECT $1::int AS id, n FROM generate_series(1, $2::int) n", [
                    id,
                    id * 7
                  ])
                  return assert.deepStrictEqual(
                    rows,
                    Array.from({ length: id * 7 }, (_, at) => ({ id, n: at + 1 }))
                  )
                }
                case "other text":
                  return assert.deepStrictEqual(yield* plainly("SELECT $1::text AS own, 1 AS id", [`${id}`]), [
                    { own: `${id}`, id: 1 }
                  ])
                case "fail":
                  return assert.strictEqual(yield* stateOf("SELECT $1::int / 0 AS id", [id]), "22012")
                case "cannot prepare":
                  return assert.strictEqual(yield* stateOf("SELECT id FROM no_such_table WHERE id = $1", [id]), "42P01")
                case "setting": {
                  const set =
                    "SELECT set_config('app.spaces', $1, true) AS own, current_setting('app.spaces', true) AS seen"
                  return assert.deepStrictEqual(yield* plainly(set, [`{${id}}`]), [{ own: `{${id}}`, seen: `{${id}}` }])
                }
                case "look": {
                  const [row] = yield* plainly(
                    "SELECT coalesce(current_setting('app.spaces', true), '') AS seen, $1::int AS id",
                    [id]
                  )
                  return assert.deepStrictEqual(row, { seen: "", id })
                }
                case "interrupt": {
                  const fiber = yield* Effect.fork(
                    lanes.execute("SELECT $1::int AS id, 'dropped' AS own", [id], undefined)
                  )
                  yield* Effect.yieldNow()
                  return yield* Fiber.interrupt(fiber)
                }
              }
            })
          yield* Effect.forEach(questions, one, { concurrency: "unbounded", discard: true })
        })
      ),
    { fastCheck: { numRuns: 30 }, ...patience }
  )

  it.scoped("a lane (shared connection) returns the same rows as the pool of the driver, for values of each type", () =>
    Effect.gen(function* () {
      const lanes = (yield* lanesAt(scene.url))(noPool)
      const statements: ReadonlyArray<readonly [text: string, values: ReadonlyArray<unknown>]> = [
        ["SELECT 1 AS a, 'x' AS b WHERE $1", [false]],
        [
          "SELECT $1::int AS i, $2::bigint AS b, $3::float8 AS f, $4::numeric AS n",
          [1, "9007199254740993", 0.1, "1.50"]
        ],
        ["SELECT $1::text AS t, $2::text AS nothing, $3::boolean AS yes", ["ä € 🙂", null, true]],
        ["SELECT $1::timestamptz AS at, $1::date AS day, $2::interval AS span", ["2026-11-26T01:02:03.456Z", "90 min"]],
        [
          "SELECT $1::jsonb AS json, $2::text[] AS list, $3::bytea AS bytes",
          ['{"a":[1,null]}', ["a", 'b"', ""], Buffer.from("é")]
        ],
        ["SELECT n, n % 2 = 0 AS even, repeat('x', n) AS text FROM generate_series(1, $1::int) n", [200]],
        ["SELECT 1 AS same, 2 AS same, $1::int AS other", [3]]
      ]
      for (const [text, values] of statements) {
        const { rows } = yield* Effect.promise(() => scene.holder.query(text, [...values]))
        // After the first call, the shared connection has stored the columns of the statement. The second call uses
        // them.
        for (const _ of [1, 2]) {
          const found = yield* onLane(lanes, text, values)
          assert.deepStrictEqual(
            found.map((row) => ({ ...row })),
            rows,
            text
          )
        }
      }
    })
  )

  it.scoped("reads are answered while every lane (shared connection) for writes waits for a lock", () =>
    Effect.gen(function* () {
      const lanes = (yield* lanesAt(scene.url))(noPool)
      yield* onLane(lanes, take, [1, 0])
      yield* onLane(lanes, echo, [0])
      yield* scene.holds(1)
      const writes = yield* Effect.fork(
        Effect.forEach([1, 2, 3], (id) => lanes.execute(take, [1, id], undefined), { concurrency: "unbounded" })
      )
      yield* scene.waitersFor(1)
      for (const id of [4, 5, 6]) assert.strictEqual((yield* onLane(lanes, echo, [id]))[0].id, id)
      yield* scene.releases(1)
      assert.deepStrictEqual(
        (yield* Fiber.join(writes)).map(([row]) => row.id),
        [1, 2, 3]
      )
    })
  )

  it.scoped(
    "if a statement on a lane (shared connection) takes long, the next statements run on the pool instead of this lane",
    () =>
      Effect.gen(function* () {
        const lanes = (yield* lanesAt(scene.url, { answerWaitMs: 0 }))(noPool)
        yield* onLane(lanes, take, [2, 0])
        yield* scene.holds(2)
        const waiting = yield* Effect.fork(lanes.execute(take, [2, 1], undefined))
        yield* scene.waitersFor(2)
        // The shared connection needs time to notice that its statement takes long. It checks this after a timer that
        // is shorter than this pause, and after it has read all received answers.
        yield* Effect.promise(aMoment)
        yield* yieldToEventLoop
        assert.strictEqual(yield* Effect.flip(lanes.execute(take, [2, 2], undefined)), noRoom)
        yield* scene.releases(2)
        assert.strictEqual((yield* Fiber.join(waiting))[0].id, 1)
        assert.strictEqual((yield* onLane(lanes, take, [2, 3]))[0].id, 3)
      })
  )

  it.scoped(
    "a lane (shared connection) still gets statements while the pod is too busy to read the answers that have arrived",
    () =>
      Effect.gen(function* () {
        const answerWaitMs = 10
        const lanes = (yield* lanesAt(scene.url, { answerWaitMs }))(noPool)
        yield* onLane(lanes, echo, [0])
        const first = yield* Effect.fork(lanes.execute(echo, [1], undefined))
        yield* Effect.yieldNow() // Now the shared connection sends the first statement.
        const busyUntilMs = performance.now() + answerWaitMs * 3
        while (performance.now() < busyUntilMs);
        assert.strictEqual((yield* lanes.execute(echo, [2], undefined))[0].id, 2)
        assert.strictEqual((yield* Fiber.join(first))[0].id, 1)
      })
  )

  it.scoped(
    "on a shared connection, if a write waits for a lock, the next write is answered soon, and the waiting write runs again on the pool",
    () =>
      Effect.gen(function* () {
        const elsewhere: Array<unknown> = []
        const pool: StatementRunner = {
          execute: (_text, values) => Effect.sync(() => (elsewhere.push(values[1]), [{ id: values[1] }]))
        }
        const lanes = yield* lanesAt(scene.url, { lockWithinMs: 50, answerWaitMs: 10_000 })
        yield* onLane(lanes(noPool), take, [31, 0])
        yield* scene.holds(31)
        const both = lanes(pool)
        const waiting = yield* Effect.fork(both.execute(take, [31, 1], undefined))
        yield* Effect.yieldNow() // Now the shared connection sends the first statement.
        // For 10 s the pod treats the shared connection as free, so it sends this statement behind the first one.
        const [behind] = (yield* both.execute(take, [32, 2], undefined)) as ReadonlyArray<{ readonly id: number }>
        assert.strictEqual(behind?.id, 2)
        assert.strictEqual((yield* Fiber.join(waiting))[0].id, 1)
        assert.deepStrictEqual(elsewhere, [1])
        yield* scene.releases(31)
      })
  )

  it.scoped(
    "a read that runs too long on a shared connection runs again on the pool, and the credential's next read of this kind begins on the pool",
    () =>
      Effect.gen(function* () {
        const elsewhere: Array<unknown> = []
        const pool: StatementRunner = { execute: (_text, values) => Effect.sync(() => (elsewhere.push(values[0]), [])) }
        const lanes = yield* lanesAt(scene.url, { runWithinMs: 50 })
        yield* onLane(lanes(noPool), echo, [0])
        const costly = "SELECT $1::int AS id, pg_sleep(3600)"
        const both = lanes(pool)
        yield* both.execute(costly, [1], undefined, "a key")
        yield* both.execute(costly, [2], undefined, "a key")
        assert.deepStrictEqual(elsewhere, [1, 2])
        // Only the slow read with this credential begins on the pool. Another statement with this credential begins on
        // the shared connection, and so does the slow read with another credential.
        assert.strictEqual((yield* both.execute(echo, [3], undefined, "a key"))[0].id, 3)
        const other = yield* Effect.fork(both.execute(costly, [4], undefined, "another key"))
        yield* Fiber.join(other)
        assert.deepStrictEqual(elsewhere, [1, 2, 4])
      })
  )

  it.scoped(
    "an interrupted caller stops waiting at once, and the next statement on the same shared connection gets its own rows",
    () =>
      Effect.gen(function* () {
        const lanes = (yield* lanesAt(scene.url))(noPool)
        yield* onLane(lanes, take, [3, 0])
        yield* scene.holds(3)
        const leaving = yield* Effect.fork(lanes.execute(take, [3, 1], undefined))
        const staying = yield* Effect.fork(lanes.execute(take, [3, 2], undefined))
        yield* scene.waitersFor(3)
        yield* Fiber.interrupt(leaving)
        assert.strictEqual((yield* scene.waitersFor(3)).length, 1)
        yield* scene.releases(3)
        assert.strictEqual((yield* Fiber.join(staying))[0].id, 2)
      })
  )
})
