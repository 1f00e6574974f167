/** A prepared statement that is sent as one message gets exactly the same answer as a query of the driver. */
import { assert, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type pg from "pg"
import { NamedClient } from "../../src/platform/Database.ts"
import { arePlain, type KnownColumns, PreparedQuery } from "../../src/platform/PreparedQuery.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"

const statements: ReadonlyArray<readonly [text: string, values: ReadonlyArray<string | number | boolean | null>]> = [
  ["SELECT $1::text AS text, $2::int AS number, $3::bool AS flag, $4::text AS nothing", ["é ☃ 𝄞", 7, true, null]],
  [
    "SELECT $1::jsonb AS json, $2::uuid[] AS ids, $3::text[] AS texts",
    ['{"a":[1,null]}', "{}", '{"a,b",NULL,"\\"q\\""}']
  ],
  [
    "SELECT $1::timestamptz AS at, $2::bigint AS big, $3::float8 AS real, $4::bytea AS bytes",
    ["2026-02-03 04:05:06.789012+02", "9007199254740993", 0.1, "\\x00ff"]
  ],
  ["SELECT each AS each, each AS each FROM generate_series(1, $1::int) each", [300]],
  ["SELECT $1::text AS long", ["x☃".repeat(60_000)]],
  ["SELECT 1 AS one WHERE $1::bool", [false]],
  ['SELECT $1::text AS "__proto__", 1 AS "constructor"', ["own"]],
  ["SET LOCAL lock_timeout = 0", []],
  ["DO $body$ BEGIN END $body$", []]
]

describePostgres("a prepared statement in one message", (server) => {
  let database: TestDatabase
  let client: NamedClient
  const known: KnownColumns = new Map()
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    client = new NamedClient({ connectionString: database.url, pipeline: true })
    await client.connect()
  })
  afterAll(async () => {
    await client?.end()
    await database?.drop()
  })

  const byDriver = (text: string, values?: ReadonlyArray<unknown>): Promise<pg.QueryResult<object>> =>
    client.query(values === undefined ? { text } : { text, values: [...values] })
  const ask = (text: string, values: ReadonlyArray<unknown>, name = client.nameOf(text)!) =>
    new Promise<ReadonlyArray<object>>((resolve, reject) => {
      if (!arePlain(values)) throw new Error("only plain values are sent so")
      client.query(
        new PreparedQuery({ name, text, values, known }, (error, rows) =>
          error === null ? resolve(rows) : reject(error)
        )
      )
    })
  const entries = (rows: ReadonlyArray<object>) => rows.map((row) => Object.entries(row))

  it("a prepared statement that is sent in one message gets the same rows as the driver's query, at the first call and at later calls", async () => {
    for (const [text, values] of statements) {
      const { rows } = await byDriver(text, values)
      for (let call = 0; call < 3; call++) {
        assert.deepStrictEqual(entries(await ask(text, values)), entries(rows), text)
      }
    }
  })

  it("if a hundred prepared statements are sent together, each statement gets its own answer, and a failing statement does not affect the others", async () => {
    const text = "SELECT 100 / $1::int AS part"
    const numbers = Array.from({ length: 100 }, (_, at) => at % 7)
    const answers = await Promise.allSettled(numbers.map((number) => ask(text, [number])))
    answers.forEach((answer, at) => {
      if (numbers[at] === 0) assert.strictEqual(answer.status, "rejected")
      else {
        assert.strictEqual(answer.status, "fulfilled")
        if (answer.status === "fulfilled")
          assert.deepStrictEqual(entries(answer.value), [[["part", Math.trunc(100 / numbers[at])]]])
      }
    })
  })

  it("if the server cannot prepare a statement, the statement fails each time, and its connection can still be used", async () => {
    for (let call = 0; call < 2; call++) {
      const refused = await ask("SELECT no_such_column WHERE $1::bool", [true]).catch((error: unknown) => error)
      assert.strictEqual((refused as { readonly code?: string }).code, "42703")
    }
    assert.deepStrictEqual(entries(await ask("SELECT $1::int AS number", [5])), [[["number", 5]]])
  })

  it("if the columns of a prepared statement have changed, the statement fails and does not return rows with the old column names", async () => {
    await byDriver("CREATE TABLE shelf (a int); INSERT INTO shelf VALUES (1)")
    assert.deepStrictEqual(entries(await ask("SELECT * FROM shelf WHERE a = $1::int", [1])), [[["a", 1]]])
    await byDriver("ALTER TABLE shelf ADD COLUMN b int")
    const refused = await ask("SELECT * FROM shelf WHERE a = $1::int", [1]).catch((error: unknown) => error)
    assert.strictEqual((refused as { readonly code?: string }).code, "0A000")
  })

  it("a statement with an object, a list or a date among its values is not sent as a prepared statement in one message", () => {
    for (const value of [{}, [], new Date(), Buffer.from(""), 1n]) assert.isFalse(arePlain(["text", value]))
    assert.isTrue(arePlain(["text", 1, true, null, undefined]))
  })
})
