/**
 * After the pod has answered a revocation, no pod on the same database commits a write with the revoked key or session.
 */
import { assert, describe, it } from "@effect/vitest"
import { request } from "node:http"
import { afterAll, beforeAll } from "vitest"
import { aMoment } from "../support/aMoment.ts"
import { type BuiltPod, startPod } from "../support/builtPod.ts"
import {
  ask,
  type RequestHeaders,
  type CreatedKey,
  createKey,
  createWorkspace,
  refusedEverywhereInMs,
  revoke,
  signInOwner,
  tryCredential
} from "../support/client.ts"
import { withLockedEntities } from "../support/lockedEntities.ts"
import { aPreparedFolder, describePodPair } from "../support/podPair.ts"
import { revocationRounds } from "../support/revocationRounds.ts"

const rounds = 3
const writers = 32
const refused = [401, 401, 401, 401]
const rememberedMs = 10_000 // A cached answer is at most one second old. The rest is time for a slow machine.

interface HalfSent {
  readonly status: Promise<number>
  readonly sendTheRest: () => void
}

/** Sends the head of a request, and waits until the pod has read it. Then sends half of the body. */
const halfSent = (baseUrl: string, headers: RequestHeaders, body: unknown): Promise<HalfSent> => {
  const text = JSON.stringify(body)
  const half = Math.floor(text.length / 2)
  return new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}/api/hub/entities`, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": String(text.length),
        expect: "100-continue"
      }
    })
    const status = new Promise<number>((answered, failed) => {
      sent.once("response", (response) => {
        response.resume()
        answered(response.statusCode ?? 0)
      })
      sent.once("error", failed)
    })
    sent.once("error", reject)
    // The event `continue` means: the pod has read the headers and asks for the body.
    sent.once("continue", () =>
      sent.write(text.slice(0, half), () => resolve({ status, sendTheRest: () => void sent.end(text.slice(half)) }))
    )
    sent.flushHeaders()
  })
}

/** Declares the tests that must pass for pods on PGlite and for pods on PostgreSQL. */
const onEachPod = (
  pod: () => { readonly baseUrl: string; readonly session: RequestHeaders; readonly workspaceId: string }
) => {
  const titled = async (title: string) => {
    const { baseUrl, session, workspaceId } = pod()
    const { body } = await ask(baseUrl, "GET", `/api/hub/entities?workspaceId=${workspaceId}&limit=200`, session)
    return (body as ReadonlyArray<{ readonly title: string }>).filter((entity) => entity.title === title).length
  }

  it("if a key is revoked while its client sends the body of a request, the request gets 401 and stores nothing", async () => {
    const { baseUrl, session, workspaceId } = pod()
    const key = await createKey(baseUrl, session)
    const draft = { title: "half sent", profileSlug: "note", workspaceId }
    const plain = await halfSent(baseUrl, key.headers, draft)
    const repeatable = await halfSent(baseUrl, { ...key.headers, "idempotency-key": "half-sent-1" }, draft)
    assert.strictEqual((await revoke(baseUrl, session, key.id)).status, 200)
    plain.sendTheRest()
    repeatable.sendTheRest()
    assert.deepStrictEqual(await Promise.all([plain.status, repeatable.status]), [401, 401])
    assert.strictEqual(await titled("half sent"), 0)
  })

  it("a client that repeats a revocation with the same idempotency key gets the first answer again", async () => {
    const { baseUrl, session } = pod()
    const key = await createKey(baseUrl, session)
    const once = { "idempotency-key": "revoked-once-1" }
    const first = await revoke(baseUrl, session, key.id, once)
    const second = await revoke(baseUrl, session, key.id, once)
    assert.deepStrictEqual([first.status, second.status], [200, 200])
    assert.deepStrictEqual(second.body, first.body)
    assert.deepStrictEqual(await tryCredential(baseUrl, key.headers), refused)
  })

  it("after a person signs out, the session gets 401 over REST and tRPC", async () => {
    const { baseUrl } = pod()
    const session = await signInOwner(baseUrl)
    assert.strictEqual((await ask(baseUrl, "GET", "/api/hub/users/me", session)).status, 200)
    assert.strictEqual((await ask(baseUrl, "POST", "/auth/sign-out", session, {})).status, 200)
    assert.strictEqual((await ask(baseUrl, "GET", "/api/hub/users/me", session)).status, 401)
    const draft = { title: "signed out", profileSlug: "note" }
    assert.strictEqual((await ask(baseUrl, "POST", "/api/hub/entities", session, draft)).status, 401)
    assert.strictEqual((await ask(baseUrl, "GET", "/trpc/apiKeys.list", session)).status, 401)
  })

  it("when a person signs out with an idempotency key, only the session of the request ends", async () => {
    const { baseUrl, session: other } = pod()
    const session = await signInOwner(baseUrl)
    const once = { "idempotency-key": "signed-out-1" }
    const left = await ask(baseUrl, "POST", "/auth/sign-out", { ...session, ...once }, {})
    const after = await ask(baseUrl, "GET", "/api/hub/users/me", session)
    assert.deepStrictEqual([left.status, after.status], [200, 401])
    assert.strictEqual((await ask(baseUrl, "GET", "/api/hub/users/me", other)).status, 200)
  })

  it("after a rotation the old key stays valid only if the person asks for an overlap", async () => {
    const { baseUrl, session } = pod()
    const rotate = (keyId: string, overlapSeconds: number) =>
      ask(baseUrl, "POST", "/trpc/apiKeys.rotate", session, { keyId, overlapSeconds })
    const lives = async (headers: RequestHeaders) =>
      (await ask(baseUrl, "GET", "/api/hub/users/me", headers)).status === 200
    const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
    const old = await createKey(baseUrl, session)
    const second = (await rotate(old.id, 0)).body.result.data
    assert.deepStrictEqual([await lives(old.headers), await lives(bearer(second.key))], [false, true])
    const third = (await rotate(second.id, 600)).body.result.data
    assert.deepStrictEqual([await lives(bearer(second.key)), await lives(bearer(third.key))], [true, true])
  })

  it("when a person rotates a key with an overlap, neither the old key nor the new key gets a later expiry than the old key had", async () => {
    const { baseUrl, session } = pod()
    const old = await createKey(baseUrl, session, { expiresInDays: 1 })
    const endOf = async (keyId: string) => {
      const { body } = await ask(baseUrl, "GET", "/trpc/apiKeys.list", session)
      const keys = body.result.data as ReadonlyArray<{ readonly id: string; readonly expiresAt: string }>
      return Date.parse(keys.find(({ id }) => id === keyId)?.expiresAt ?? "")
    }
    const end = await endOf(old.id)
    const overlap = { keyId: old.id, overlapSeconds: 7 * 86_400 }
    const rotated = await ask(baseUrl, "POST", "/trpc/apiKeys.rotate", session, overlap)
    const ends = [await endOf(old.id), await endOf(rotated.body.result.data.id)]
    assert.deepStrictEqual(ends, [end, end])
  })
}

describe("a revocation on one pod with PGlite", () => {
  let folder: Awaited<ReturnType<typeof aPreparedFolder>>
  let pod: BuiltPod
  let session: RequestHeaders
  let workspaceId: string
  beforeAll(async () => {
    folder = await aPreparedFolder()
    pod = await startPod({ dataDir: folder.path })
    session = await signInOwner(pod.baseUrl)
    workspaceId = await createWorkspace(pod.baseUrl, session, "Shared")
  })
  afterAll(async () => {
    await pod.kill()
    folder.remove()
  })

  onEachPod(() => ({ baseUrl: pod.baseUrl, session, workspaceId }))

  it("after a pod with 32 writers has answered that a key is revoked, no write of the key is committed", async () => {
    const report = await revocationRounds({ baseUrls: [pod.baseUrl], session, workspaceId, rounds: 1, writers })
    assert.isAtLeast(report.refused, writers)
  })
})

describePodPair("revocations on two pods with PostgreSQL", (pair) => {
  const load = () => ({ ...pair, rounds, writers })

  onEachPod(() => ({ baseUrl: pair.second.baseUrl, session: pair.session, workspaceId: pair.workspaceId }))

  it("after one of two pods with 32 writers has answered that a key is revoked, no write of the key is committed", async () => {
    const report = await revocationRounds(load())
    assert.isAtLeast(report.accepted, rounds * writers)
  })

  it("after a pod has answered that a key is revoked, no write of the key is committed, even if the pods get no signals from each other", async () => {
    await revocationRounds({
      ...load(),
      before: async () => {
        await pair.ask(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND (query LIKE 'LISTEN%' OR application_name = 'pod listener')`
        )
      }
    })
  })

  it("after a pod has answered that a key is revoked, no write of the key is committed, even if the connection for signals between the pods delivers nothing", async () => {
    pair.proxy.silenceThoseSaying("LISTEN")
    try {
      await revocationRounds(load())
    } finally {
      await pair.proxy.heal()
    }
  })

  it("after an SQL statement suspends a person in the database of two pods, both pods answer 401 to the person's keys and sessions", async () => {
    const key = await createKey(pair.first.baseUrl, pair.session)
    const session = await signInOwner(pair.second.baseUrl)
    const statuses = async () => {
      const asked = pair.baseUrls.flatMap((baseUrl) => [
        tryCredential(baseUrl, key.headers),
        tryCredential(baseUrl, session)
      ])
      return (await Promise.all(asked)).flat()
    }
    assert.notInclude(await statuses(), 401)
    await pair.ask("UPDATE users SET suspended_at = now(), authz_epoch = authz_epoch + 1 WHERE kind = 'person'")
    try {
      assert.deepStrictEqual([...new Set(await statuses())], [401])
      for (const baseUrl of pair.baseUrls) {
        assert.isBelow(await refusedEverywhereInMs(baseUrl, key.headers), rememberedMs)
      }
    } finally {
      await pair.ask("UPDATE users SET suspended_at = NULL, authz_epoch = authz_epoch + 1 WHERE kind = 'person'")
    }
    // The suspension has ended, and the pods have not cached the refusals.
    assert.notInclude(await statuses(), 401)
  })

  it("a revocation of a key ends its running reads on other pods at once, but a rotation with an overlap does not end the reads", async () => {
    const keys = [await createKey(pair.first.baseUrl, pair.session), await createKey(pair.first.baseUrl, pair.session)]
    const [rotated, revoked] = keys
    // Earlier tests cut the connections that listen for signals. The test waits until both pods listen again.
    const listening = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'pod listener' AND query IN ('LISTEN pod_signals', 'SELECT 1')`
    while ((await pair.ask(listening)).length < pair.baseUrls.length) await aMoment()
    for (const { headers } of keys) await ask(pair.second.baseUrl, "GET", "/api/hub/users/me", headers)
    await withLockedEntities(pair.databaseUrl, async (locked) => {
      const read = ({ headers }: CreatedKey) => ask(pair.second.baseUrl, "GET", "/api/hub/entities", headers)
      const [readingRotated, readingRevoked] = [read(rotated), read(revoked)]
      await locked.untilWaiting(2)
      const overlap = { keyId: rotated.id, overlapSeconds: 600 }
      const answer = await ask(pair.first.baseUrl, "POST", "/trpc/apiKeys.rotate", pair.session, overlap)
      assert.strictEqual(answer.status, 200)
      const revoking = revoke(pair.first.baseUrl, pair.session, revoked.id)
      // Signals between pods arrive in order. So a pod that has received the revocation has also received the earlier
      // rotation.
      assert.strictEqual((await readingRevoked).status, 401)
      await locked.release()
      assert.deepStrictEqual([(await revoking).status, (await readingRotated).status], [200, 200])
    })
  })

  it("after an agent is suspended on one of two pods, both pods answer 401 to its keys and end the running requests of these keys", async () => {
    const say = (name: string, input: object) =>
      ask(pair.first.baseUrl, "POST", `/trpc/${name}`, pair.session, input).then(({ body }) => body.result.data)
    const agent = await say("agents.create", { name: "Scribe", capabilities: ["*"] })
    const key = await createKey(pair.first.baseUrl, pair.session, { agentId: agent.id })
    const me = (baseUrl: string) => ask(baseUrl, "GET", "/api/hub/users/me", key.headers)
    const statuses = async () => (await Promise.all(pair.baseUrls.map(me))).map(({ status }) => status)
    assert.deepStrictEqual(await statuses(), [200, 200])
    await withLockedEntities(pair.databaseUrl, async (locked) => {
      const reading = ask(pair.second.baseUrl, "GET", "/api/hub/entities", key.headers)
      await locked.untilWaiting()
      const suspending = say("agents.update", { agentId: agent.id, isSuspended: true })
      assert.strictEqual((await reading).status, 401)
      await locked.release()
      assert.strictEqual((await suspending).isSuspended, true)
    })
    assert.deepStrictEqual(await statuses(), [401, 401])
    for (const baseUrl of pair.baseUrls) assert.deepStrictEqual(await tryCredential(baseUrl, key.headers), refused)
    await say("agents.update", { agentId: agent.id, isSuspended: false })
    assert.deepStrictEqual(await statuses(), [200, 200])
  })

  it("if the expiry of a used key is changed to an earlier time, the pod refuses the key after the new expiry", async () => {
    const key = await createKey(pair.first.baseUrl, pair.session)
    for (const baseUrl of pair.baseUrls) {
      assert.strictEqual((await ask(baseUrl, "GET", "/api/hub/users/me", key.headers)).status, 200)
    }
    await pair.ask(`UPDATE api_keys SET expires_at = now() WHERE id = '${key.id}'`)
    for (const baseUrl of pair.baseUrls) {
      assert.deepStrictEqual(await tryCredential(baseUrl, key.headers), refused)
      assert.isBelow(await refusedEverywhereInMs(baseUrl, key.headers), rememberedMs)
    }
  })
})
