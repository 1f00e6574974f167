/**
 * A database client that passes all messages of a statement to PGlite (the embedded database) in one call gets the same
 * results as PGlite's own client.
 */
import type { PGlite } from "@electric-sql/pglite"
import { createPgConfig } from "@electric-sql/pglite/node-postgres"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import pg from "pg"
import { embeddedConfig } from "../../src/platform/EmbeddedConfig.ts"
import { anEmbedded } from "../support/pgliteImage.ts"

type Ask = (client: pg.Client) => Promise<unknown>

const run = (text: string, values?: ReadonlyArray<unknown>): Ask => {
  return (client) => client.query(text, values === undefined ? undefined : [...values])
}

const asks: Readonly<Record<string, Ask>> = {
  "a statement without values": run("SELECT n, n * 2 AS doubled FROM generate_series(1, 300) n"),
  "a statement with values": run("SELECT $1::int + 1 AS next, $2::text AS text, $3::text[] AS list", [
    1,
    "ä",
    ["a", "b"]
  ]),
  "a statement without rows": run("SELECT 1 AS one WHERE false"),
  "several statements in one text": run("SELECT 1 AS one; SELECT 2 AS two"),
  "a syntax error": run("SELEC 1"),
  "an error while the statement runs": run("SELECT 1 / $1::int AS one", [0]),
  "a value that does not fit": run("SELECT $1::int AS one", ["x"]),
  "a prepared statement that is used twice": async (client) => {
    const query = { name: "twice", text: "SELECT $1::int AS one", values: [1] }
    return [await client.query(query), await client.query({ ...query, values: [2] })]
  },
  "a transaction with an error in it": async (client) => {
    await client.query("BEGIN")
    const failed = await client.query("SELECT 1 / 0").catch(({ code }: { readonly code: string }) => code)
    const later = await client.query("SELECT 1").catch(({ code }: { readonly code: string }) => code)
    return [failed, later, await client.query("ROLLBACK")]
  }
}

/** Returns what a client shows of a result: rows, columns, command and count. */
const shown = (result: unknown): unknown => {
  if (Array.isArray(result)) return result.map(shown)
  if (typeof result !== "object" || result === null) return result
  const { command, fields, rowCount, rows } = result as pg.QueryResult
  return { command, rowCount, rows, fields: fields?.map(({ dataTypeID, name }) => ({ name, dataTypeID })) }
}

describe("the client of the embedded database", () => {
  let lite: PGlite
  beforeAll(async () => {
    lite = await anEmbedded()
  })
  afterAll(() => lite?.close())

  const resultOf = async (config: pg.ClientConfig, ask: Ask) => {
    const client = new pg.Client(config)
    await client.connect()
    // This removes the prepared statements of earlier clients, because all clients share the one session of the engine.
    await client.query("DEALLOCATE ALL")
    const result = await ask(client).then(shown, ({ code, message }: { code: string; message: string }) => ({
      code,
      message
    }))
    await client.end()
    return result
  }

  for (const [what, ask] of Object.entries(asks)) {
    it(`for ${what}, a database client that passes all messages of a statement to PGlite in one call gets the same result as PGlite's own client`, async () => {
      const expected = await resultOf(createPgConfig(lite), ask)
      assert.deepStrictEqual(await resultOf(embeddedConfig(lite), ask), expected)
    })
  }
})
