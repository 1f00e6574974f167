/** A statement whose rows are too large fails, and its connection serves the next statement. */
import { assert, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { NamedClient } from "../../src/platform/Database.ts"
import { type KnownColumns, PreparedQuery } from "../../src/platform/PreparedQuery.ts"
import { resultBytesMax, ResultTooLarge } from "../../src/platform/ResultSize.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"

const rowsOf = (bytes: number) => `SELECT repeat('x', ${bytes}) AS text FROM generate_series(1, $1::int)`
const rowBytes = 1024 * 1024
const tooMany = resultBytesMax / rowBytes + 1

type Rows = ReadonlyArray<object>
type Ask = (text: string, values: ReadonlyArray<number>) => Promise<Rows>

describePostgres("the size of the rows of a statement", (server) => {
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

  const settled =
    (resolve: (rows: Rows) => void, reject: (error: Error) => void) =>
    (error: Error | null, rows: Rows): void =>
      error === null ? resolve(rows) : reject(error)
  const ways: Readonly<Record<string, Ask>> = {
    "the pool": (text, values) =>
      new Promise((resolve, reject) => {
        client.query(text, [...values], (error: Error | null, result?: { readonly rows: Rows }) =>
          settled(resolve, reject)(error, result?.rows ?? [])
        )
      }),
    "a lane": (text, values) =>
      new Promise((resolve, reject) => {
        const name = client.nameOf(text)!
        client.query(new PreparedQuery({ name, text, values, known }, settled(resolve, reject)))
      })
  }

  for (const [way, ask] of Object.entries(ways)) {
    it(`a statement of ${way} whose rows are larger together than the limit fails, and the next statement gets its rows`, async () => {
      const outcomes = await Promise.allSettled([ask(rowsOf(rowBytes), [tooMany]), ask(rowsOf(rowBytes), [2])])
      assert.strictEqual(outcomes[0].status === "rejected" && outcomes[0].reason instanceof ResultTooLarge, true)
      assert.strictEqual(outcomes[1].status === "fulfilled" && outcomes[1].value.length, 2)
    })

    it(`a statement of ${way} gets a single row of any size`, async () => {
      assert.lengthOf(await ask(rowsOf(resultBytesMax + rowBytes), [1]), 1)
    })
  }
})
