/**
 * While the database is unreachable, the pod answers 503 in time. When the database is back, the pod
 * uses it without a restart.
 */
import { assert } from "@effect/vitest"
import { beforeAll, it } from "vitest"
import { ask, type RequestHeaders, createKey, type Reply, signInOwner } from "../support/client.ts"
import { brokenLaws } from "../support/integrity.ts"
import { describePodPair } from "../support/podPair.ts"
import { ownerEmail, ownerPassword } from "../support/builtPod.ts"
import { faultsByApi, startWriting } from "../support/writers.ts"

const unreachableMs = 8_000 // 5 s for the attempt to connect, and 3 s more for a slow machine
const writers = 8

describePodPair("a pod whose PostgreSQL fails", (pair) => {
  let baseUrl: string
  let headers: RequestHeaders
  let unknownToPod: RequestHeaders
  beforeAll(async () => {
    baseUrl = pair.second.baseUrl
    headers = (await createKey(baseUrl, pair.session)).headers
    assert.strictEqual((await ask(baseUrl, "GET", "/api/hub/users/me", headers)).status, 200)
    unknownToPod = await signInOwner(pair.first.baseUrl)
  })

  let marks = 0
  /** Sends one request of each kind that uses the database. */
  const everyWay = (): ReadonlyArray<Promise<Reply>> => {
    const draft = { title: `way ${++marks}`, profileSlug: "note" }
    const credentials = { email: ownerEmail, password: ownerPassword }
    return [
      ask(baseUrl, "POST", "/api/hub/entities", headers, draft),
      ask(baseUrl, "POST", "/api/hub/entities", { ...headers, "idempotency-key": `way-${marks}-once` }, draft),
      ask(baseUrl, "GET", "/api/hub/entities", headers),
      ask(baseUrl, "GET", "/api/hub/trpc/events.list", headers),
      // Both of these requests read the database: the first has a session that the pod has not cached, and the second
      // is a sign-in.
      ask(baseUrl, "GET", "/api/hub/users/me", unknownToPod),
      ask(baseUrl, "POST", "/auth/sign-in", {}, credentials)
    ]
  }
  const statusesOf = (replies: ReadonlyArray<Reply>) => [...new Set(replies.map(({ status }) => status))]
  const alive = async () => (await ask(baseUrl, "GET", "/livez")).status
  const ready = async () => (await ask(baseUrl, "GET", "/readyz")).status

  const refusedWithin = async (mostMs: number) => {
    const began = performance.now()
    const asked = everyWay()
    assert.deepStrictEqual([await alive(), await ready()], [200, 503])
    const replies = await Promise.all(asked)
    assert.isBelow(performance.now() - began, mostMs)
    assert.deepStrictEqual(statusesOf(replies), [503])
    for (const { body, headers } of replies) {
      assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      assert.notMatch(JSON.stringify(body), /ECONN|postgres|select|insert|127\.0\.0\.1|\bat \//i)
    }
  }
  const servesAgain = async () => {
    assert.deepStrictEqual(statusesOf(await Promise.all(everyWay())), [200])
    assert.deepStrictEqual([await alive(), await ready()], [200, 200])
  }

  it("a pod whose database server cannot be reached answers 503 with Retry-After until the server can be reached again", async () => {
    await pair.proxy.refuse()
    await refusedWithin(unreachableMs)
    await refusedWithin(unreachableMs)
    await pair.proxy.heal()
    await servesAgain()
  })

  it("a database connection that is reset during a sign-in does not end the pod", async () => {
    pair.proxy.delay(200)
    const asked = everyWay()
    const lines = setInterval(pair.proxy.cut, 150)
    const replies = await Promise.all(asked).finally(() => clearInterval(lines))
    pair.proxy.delay(0)
    assert.includeMembers([200, 503], statusesOf(replies))
    await servesAgain()
  })

  it("if the connection to the database is slow, the requests still succeed", async () => {
    pair.proxy.delay(100)
    assert.deepStrictEqual(statusesOf(await Promise.all(everyWay())), [200])
    pair.proxy.delay(0)
  })

  it("the pod loses no acknowledged write when database connections are cut under load", async () => {
    const writing = startWriting({
      baseUrls: [baseUrl],
      headers,
      workspaceId: pair.workspaceId,
      writers,
      expected: [503]
    })
    for (let cuts = 1; cuts <= 5; cuts++) {
      await writing.acknowledged(cuts * writers * 2)
      pair.proxy.cut()
    }
    await pair.proxy.refuse()
    await pair.proxy.heal()
    await writing.acknowledged(writers * 14)
    const ledger = await writing.stop()
    assert.deepStrictEqual(ledger.surprises, [])
    assert.deepStrictEqual(await faultsByApi(baseUrl, headers, ledger), [])
    assert.deepStrictEqual(await brokenLaws(pair.ask), [])
  })

  it("even after failures of its database, the log of the pod contains no unhandled failure and no secret", () => {
    const log = pair.second.output()
    assert.notMatch(log, /unhandled|uncaught|TypeError/i)
    assert.notInclude(log, ownerPassword)
    assert.notMatch(log, /svc_(?:user|hub_live|hub_test)_\w/)
    for (const secret of [pair.session["x-session-token"], unknownToPod["x-session-token"]]) {
      assert.notInclude(log, secret)
    }
  })
})
