/** The embedded database vacuums and analyses its tables itself, because PGlite does not. */

import type { PGlite } from "@electric-sql/pglite"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import pg from "pg"
import { embeddedConfig } from "../../src/platform/EmbeddedConfig.ts"
import { allowVacuum, vacuumDueTables } from "../../src/platform/EmbeddedVacuum.ts"
import { anEmbedded } from "../support/pgliteImage.ts"

describe("the vacuum of the embedded database", () => {
  let lite: PGlite
  let pool: pg.Pool
  beforeAll(async () => {
    lite = await anEmbedded()
    await lite.exec(`CREATE TABLE notes (id integer, body text); ${allowVacuum}; SET ROLE pod_app`)
    pool = new pg.Pool({ ...embeddedConfig(lite), max: 1 })
  })
  afterAll(async () => {
    await pool?.end()
    await lite?.close()
  })

  const asOwner = async (text: string) => {
    await lite.exec(`RESET ROLE; ${text}; SET ROLE pod_app`)
  }
  const add = (rows: number) =>
    asOwner(`INSERT INTO notes SELECT i, repeat('x', 200) FROM generate_series(1, ${rows}) AS i`)
  const pages = async () =>
    (await pool.query<{ readonly pages: number }>("SELECT pg_relation_size('notes')::int / 8192 AS pages")).rows[0]
      .pages

  it("the embedded database analyses a table once when the table has grown, and again when the table has grown further", async () => {
    await vacuumDueTables(pool) // This call vacuums the tables that the first start has filled.
    await add(10)
    assert.deepStrictEqual(await vacuumDueTables(pool), [])
    await add(10_000)
    assert.deepStrictEqual(await vacuumDueTables(pool), ["public.notes"])
    const { rows } = await pool.query("SELECT reltuples FROM pg_class WHERE relname = 'notes'")
    assert.deepStrictEqual(rows, [{ reltuples: 10_010 }])
    assert.deepStrictEqual(await vacuumDueTables(pool), [])
    await add(5_000)
    assert.deepStrictEqual(await vacuumDueTables(pool), ["public.notes"])
  })

  it("the embedded database reuses the space of old row versions", async () => {
    for (let round = 0; round < 3; round++) {
      await asOwner("UPDATE notes SET body = body || 'y'")
      await vacuumDueTables(pool)
    }
    const settled = await pages()
    for (let round = 0; round < 3; round++) {
      await asOwner("UPDATE notes SET body = body || 'y'")
      await vacuumDueTables(pool)
    }
    assert.isAtMost(await pages(), settled * 1.3)
  })

  it("the database role of the pod, which vacuums a table, may not read the table", async () => {
    const refused = await pool.query("SELECT * FROM notes").then(
      () => undefined,
      (cause: Error) => cause.message
    )
    assert.strictEqual(refused, "permission denied for table notes")
  })
})
