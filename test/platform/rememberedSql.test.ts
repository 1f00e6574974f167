/**
 * The pod's SQL tag keeps the texts of templates in a cache. For every template it sends the same text and values as
 * the library, at the first call and at later calls.
 */
import { SqlClient, type Statement } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type pg from "pg"
import { layerRemembering } from "../../src/platform/RememberedSql.ts"

interface Sent {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** Makes a pool that records its queries. The pool has only the parts that the driver's client uses. */
const aPool = (sent: Array<Sent>) => {
  const client = {
    query: (text: string, values: ReadonlyArray<unknown>, done: (error: null, result: object) => void) => {
      sent.push({ text, values })
      done(null, { rows: [] })
    },
    once: () => client,
    on: () => client,
    off: () => client,
    release: () => undefined
  }
  const connect = (done: (error: null, lent: typeof client, release: () => void) => void) =>
    done(null, client, () => undefined)
  return { options: {}, connect, query: () => undefined } as unknown as pg.Pool
}

/** Runs the statement three times without a tracer, and returns the queries that were sent. */
const sentFor = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const sent: Array<Sent> = []
    const driver = PgClient.layerFromPool({ acquire: Effect.succeed(aPool(sent)) })
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (let time = 0; time < 3; time++) yield* statement(sql)
    }).pipe(Effect.withTracerEnabled(false), Effect.provide(layerRemembering(driver)))
    return sent
  })

/** Returns the text and values that the library itself makes for the same statement. */
const byLibrary = (statement: (sql: SqlClient.SqlClient) => Statement.Statement<unknown>) =>
  Effect.gen(function* () {
    const [text, values] = statement(yield* SqlClient.SqlClient).compile()
    return { text, values }
  }).pipe(Effect.provide(PgClient.layerFromPool({ acquire: Effect.succeed(aPool([])) })))

type Build = (sql: SqlClient.SqlClient) => Statement.Statement<object>

const statements: Readonly<Record<string, Build>> = {
  "values only": (sql) => sql`SELECT ${1}, ${"two"}, ${null}, ${new Date(0)}, ${[3, 4]}`,
  "a template without a value": (sql) => sql`SELECT 1`,
  "templates in templates": (sql) => sql`WITH ${sql`a AS (SELECT ${1})`} SELECT ${2} FROM ${sql`a WHERE ${3} = ${4}`}`,
  "literals, also empty ones": (sql) => sql`SELECT ${sql.literal("a, b")} FROM t ${sql.literal("")} WHERE c = ${1}`,
  identifiers: (sql) => sql`UPDATE t SET ${sql("title")} = ${"new"}, ${sql("note")} = t.${sql("note")}`,
  "joined conditions": (sql) => sql`SELECT 1 WHERE ${sql.and([sql`a = ${1}`, sql`b = ${2}`, "c IS NULL"])}`,
  "a fragment of plain text before a value": (sql) => sql`SELECT ${sql.unsafe("coalesce(NULL)")} FROM t WHERE ${1} = 1`,
  "a list of values": (sql) => sql`SELECT 1 WHERE ${sql.in("a", [1, 2, 3])}`,
  "an inserted record": (sql) => sql`INSERT INTO t ${sql.insert({ a: 1, b: "two" })}`
}

describe("the SQL tag that caches statement texts", () => {
  it.effect.each(Object.entries(statements))(
    "the SQL tag with a cache sends the same statement as the tag of the library, for %s",
    ([, build]) =>
      Effect.gen(function* () {
        const expected = yield* byLibrary(build)
        for (const sent of yield* sentFor(build)) assert.deepStrictEqual(sent, expected)
      })
  )

  it.effect("if a value and a fragment of a statement change places, the SQL tag makes another statement text", () =>
    Effect.gen(function* () {
      let calls = 0
      const sent = yield* sentFor((sql) => {
        const now = sql`now()`
        const [first, second] = calls++ === 1 ? [now, "text"] : ["text", now]
        return sql`SELECT ${first}, ${second}`
      })
      assert.deepStrictEqual(
        sent.map(({ text }) => text),
        ["SELECT $1, now()", "SELECT now(), $1", "SELECT $1, now()"]
      )
    })
  )

  it.effect(
    "the SQL tag with a cache sends an optional condition of a statement exactly at the calls that have the condition",
    () =>
      Effect.gen(function* () {
        let calls = 0
        const sent = yield* sentFor((sql) => {
          const further = calls++ === 1 ? sql.literal("") : sql`AND b = ${"b"}`
          return sql`SELECT 1 WHERE a = ${"a"} ${further} LIMIT ${calls}`
        })
        assert.deepStrictEqual(
          sent.map(({ values }) => values),
          [
            ["a", "b", 1],
            ["a", 2],
            ["a", "b", 3]
          ]
        )
        assert.strictEqual(sent[1].text, "SELECT 1 WHERE a = $1  LIMIT $2")
      })
  )

  it.effect("if an untrusted object looks like an SQL identifier, the SQL tag sends the object as a value", () =>
    Effect.gen(function* () {
      const posing = { _tag: "Identifier", value: 't"; DROP TABLE t; --' }
      const [first, , third] = yield* sentFor((sql) => sql`SELECT ${posing as never}`)
      assert.deepStrictEqual(first, { text: "SELECT $1", values: [posing] })
      assert.deepStrictEqual(third, first)
    })
  )

  it.effect("a statement in a transaction is sent on the connection of the transaction, between BEGIN and COMMIT", () =>
    Effect.gen(function* () {
      const sent = yield* sentFor((sql) => sql.withTransaction(sql`SELECT ${1}`))
      assert.deepStrictEqual(
        sent.slice(0, 3).map(({ text }) => text),
        ["BEGIN", "SELECT $1", "COMMIT"]
      )
    })
  )

  it.effect(
    "a statement is sent correctly after the cache of the SQL tag holds its maximum of five hundred texts",
    () =>
      Effect.gen(function* () {
        const sent: Array<Sent> = []
        const driver = PgClient.layerFromPool({ acquire: Effect.succeed(aPool(sent)) })
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          for (let at = 0; at < 510; at++) yield* sql`SELECT ${sql.literal(`${at}`)}, ${at}`
        }).pipe(Effect.withTracerEnabled(false), Effect.provide(layerRemembering(driver)))
        assert.deepStrictEqual(sent.at(-1), { text: "SELECT 509, $1", values: [509] })
      })
  )

  it.effect("the SQL tag still uses a cached statement text after its cache is full", () =>
    Effect.gen(function* () {
      const sent: Array<Sent> = []
      const driver = PgClient.layerFromPool({ acquire: Effect.succeed(aPool(sent)) })
      // The template changes after its text was cached. So the last query shows whether the cached text is sent.
      const texts = ["SELECT 'cached'"]
      const template = Object.assign(texts, { raw: texts })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql(template)
        for (let at = 0; at < 510; at++) yield* sql`SELECT ${sql.literal(`${at}`)}, ${at}`
        template[0] = "SELECT 'made again'"
        yield* sql(template)
      }).pipe(Effect.withTracerEnabled(false), Effect.provide(layerRemembering(driver)))
      assert.deepStrictEqual(sent.at(-1), { text: "SELECT 'cached'", values: [] })
    })
  )
})
