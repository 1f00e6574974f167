/** The clients of the embedded engine share one session, because the engine has only one session. */
import { assert, describe, it } from "@effect/vitest"
import pg from "pg"
import { engineOf } from "../../src/platform/EmbeddedEngine.ts"
import { anEmbedded } from "../support/pgliteImage.ts"

describe("the clients of the embedded engine", () => {
  it("if a new client of the embedded engine replaces an earlier client, the new client can run a statement that the earlier client has run", async () => {
    const engine = engineOf(await anEmbedded(), { reopen: undefined, folder: undefined, onSqlState: () => {} })
    const pool = new pg.Pool({ Client: engine.Client, max: 1 })
    const ask = async (isLast: boolean) => {
      const client = await pool.connect()
      const { rows } = await client.query("SELECT $1::int + 1 AS next", [1])
      client.release(isLast)
      return rows
    }
    for (const isLast of [false, true, false, true]) assert.deepStrictEqual(await ask(isLast), [{ next: 2 }])
    await pool.end()
    await engine.close()
  })

  it("if the embedded engine aborts, its connected clients get an error, and clients that had ended before get none", async () => {
    const lite = await anEmbedded()
    const engine = engineOf(lite, { reopen: undefined, folder: undefined, onSqlState: () => {} })
    const ended = new engine.Client()
    await ended.connect()
    await ended.end()
    const connected = new engine.Client()
    await connected.connect()
    const waiting = new Promise<Error>((heard) => connected.once("error", heard))
    ;(lite.Module as unknown as { readonly onAbort: () => void }).onAbort()
    const { message } = await waiting
    assert.match(message, /has stopped/)
    // If `close` threw an error for the earlier client, the error would be an uncaught exception, and the test would
    // fail.
    await engine.close()
  })
})
