/** A statement whose rows are too large fails, and its connection serves the next statement. */
import { SqlError } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { NamedClient } from "../../src/platform/Database.ts"
import { type KnownColumns, PreparedQuery } from "../../src/platform/PreparedQuery.ts"
import { inParts, readAtMost, resultBytesMax, ResultTooLarge } from "../../src/platform/ResultSize.ts"
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

describe("work of the pod that reads rows in batches", () => {
  const tooLarge = Effect.die(new SqlError.SqlError({ cause: new ResultTooLarge(), message: "Failed" }))

  it.effect("if the rows of a batch are too large, the pod reads fewer rows, and knows that there can be more", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const read = (limit: number) =>
        Effect.suspend(() => {
          asked.push(limit)
          return limit > 150 ? tooLarge : Effect.succeed(limit)
        })
      assert.deepStrictEqual(yield* readAtMost(500, read), { found: 125, limit: 125 })
      assert.deepStrictEqual(asked, [500, 250, 125])
    })
  )

  it.effect("if the rows of some ids are too large, the pod reads them in parts, in the same order", () =>
    Effect.gen(function* () {
      const ids = Array.from({ length: 25 }, (_, at) => at)
      const parts: Array<number> = []
      const read = (part: ReadonlyArray<number>) => {
        if (part.length > 4) return tooLarge
        parts.push(part.length)
        return Effect.succeed(part)
      }
      assert.deepStrictEqual(yield* inParts(read)(ids), ids)
      assert.isAtMost(Math.max(...parts), 4)
    })
  )

  it.effect("a read that fails for another reason is not repeated", () =>
    Effect.gen(function* () {
      let reads = 0
      const read = () =>
        Effect.suspend(() => {
          reads += 1
          return Effect.die(new Error("another reason"))
        })
      assert.isTrue((yield* Effect.exit(readAtMost(500, read)))._tag === "Failure")
      assert.strictEqual(reads, 1)
    })
  )
})
