/**
 * Attacks on the revocation of a key: a caller tries to delay the answer to the revocation, or to commit a write after
 * this answer.
 */
import { assert } from "@effect/vitest"
import pg from "pg"
import { it } from "vitest"
import { aMoment } from "../support/aMoment.ts"
import { ask, type RequestHeaders, createKey, revoke, tryCredential } from "../support/client.ts"
import { withLockedEntities } from "../support/lockedEntities.ts"
import { describePodPair } from "../support/podPair.ts"

describePodPair("attack: two pods share their PostgreSQL with other programs", (pair) => {
  /** Opens a database session with the database user of the pods, begins a transaction and leaves it open. */
  const stranger = async (name: string) => {
    const client = new pg.Client({ connectionString: pair.databaseUrl, application_name: name })
    client.on("error", () => undefined)
    await client.connect()
    await client.query("BEGIN")
    await client.query("SELECT 1")
    return client
  }

  const write = (headers: RequestHeaders, title: string) =>
    ask(pair.second.baseUrl, "POST", "/api/hub/entities", headers, {
      title,
      profileSlug: "note",
      workspaceId: pair.workspaceId
    })

  it("attack: while another program keeps a transaction open in the same database, the pod still revokes and rotates keys without delay", async () => {
    const [revoked, rotated] = [
      await createKey(pair.first.baseUrl, pair.session),
      await createKey(pair.first.baseUrl, pair.session)
    ]
    const strangers = await Promise.all([stranger("pg_dump"), stranger("psql")])
    const rotation = { keyId: rotated.id, overlapSeconds: 0 }
    const answers = await Promise.all([
      revoke(pair.first.baseUrl, pair.session, revoked.id),
      ask(pair.second.baseUrl, "POST", "/trpc/apiKeys.rotate", pair.session, rotation)
    ])
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 200]
    )
    // The pods did not wait for these sessions and did not end them.
    for (const client of strangers) {
      assert.strictEqual((await client.query("SELECT pg_current_xact_id_if_assigned()")).rowCount, 1)
      await client.query("COMMIT")
      await client.end()
    }
  })

  it("attack: if another program uses the `application_name` of a pod in PostgreSQL, the pod ends the open transaction of this program when a key is revoked", async () => {
    const key = await createKey(pair.first.baseUrl, pair.session)
    const impostor = await stranger("pod")
    const left = new Promise<void>((resolve) => impostor.once("end", () => resolve()))
    assert.strictEqual((await revoke(pair.first.baseUrl, pair.session, key.id)).status, 200)
    await left
  })

  it("attack: when the pod answers that a key is revoked, a write of this key that waited for a lock has already ended", async () => {
    const key = await createKey(pair.first.baseUrl, pair.session)
    assert.notInclude(await tryCredential(pair.second.baseUrl, key.headers), 401)
    await withLockedEntities(pair.databaseUrl, async (locked) => {
      const blockedWrite = write(key.headers, "held up by a lock")
      await locked.untilWaitingOnPool()
      assert.strictEqual((await revoke(pair.first.baseUrl, pair.session, key.id)).status, 200)
      assert.strictEqual(await locked.waiting(), 0)
      await locked.release()
      assert.strictEqual((await blockedWrite).status, 503)
      assert.strictEqual(await locked.stored("held up by a lock"), 0)
    })
    assert.deepStrictEqual([...new Set(await tryCredential(pair.second.baseUrl, key.headers))], [401])
  })

  it("attack: if a key is revoked while its write has just begun to wait for a lock, the write stores nothing", async () => {
    const key = await createKey(pair.first.baseUrl, pair.session)
    assert.notInclude(await tryCredential(pair.second.baseUrl, key.headers), 401)
    await withLockedEntities(pair.databaseUrl, async (locked) => {
      const blockedWrite = write(key.headers, "held up on a lane")
      await locked.untilWaiting()
      assert.strictEqual((await revoke(pair.first.baseUrl, pair.session, key.id)).status, 200)
      await locked.release()
      assert.include([401, 503], (await blockedWrite).status)
      assert.strictEqual(await locked.stored("held up on a lane"), 0)
    })
  })

  it("attack: if a person repeats the request to revoke a key, the second answer also waits until the running writes of the revoked key have ended", async () => {
    const key = await createKey(pair.first.baseUrl, pair.session)
    assert.notInclude(await tryCredential(pair.second.baseUrl, key.headers), 401)
    await withLockedEntities(pair.databaseUrl, async (locked) => {
      const blockedWrite = write(key.headers, "held up beside a repetition")
      await locked.untilWaitingOnPool()
      const again = { "idempotency-key": "revoked-twice" }
      const first = revoke(pair.first.baseUrl, pair.session, key.id, again)
      const revoked = `SELECT 1 FROM api_keys WHERE id = '${key.id}' AND revoked_at IS NOT NULL`
      while ((await pair.ask(revoked)).length === 0) await aMoment()
      const second = await revoke(pair.second.baseUrl, pair.session, key.id, again)
      assert.strictEqual(second.status, 200)
      assert.strictEqual(await locked.waiting(), 0)
      await locked.release()
      assert.deepStrictEqual((await first).body, second.body)
      assert.strictEqual((await blockedWrite).status, 503)
      assert.strictEqual(await locked.stored("held up beside a repetition"), 0)
    })
  })

  it("attack: after the database server has ended a connection, the pod never runs a call on that connection", async () => {
    const key = await createKey(pair.first.baseUrl, pair.session)
    assert.notInclude(await tryCredential(pair.second.baseUrl, key.headers), 401)
    await withLockedEntities(pair.databaseUrl, async (locked) => {
      const blockedWrite = write(key.headers, "held up on a connection that ends late")
      await locked.untilWaitingOnPool()
      // The proxy holds back the signal that the connection has ended. On a busy machine this signal can be late even
      // without a proxy.
      pair.proxy.withholdEnds()
      assert.strictEqual((await revoke(pair.first.baseUrl, pair.session, key.id)).status, 200)
      assert.strictEqual((await blockedWrite).status, 503)
      const { status } = await ask(pair.second.baseUrl, "GET", "/api/hub/users/me", pair.session)
      await pair.proxy.heal()
      assert.strictEqual(status, 200)
    })
  })
})
