/**
 * A person watches the calls with a key: the subscription `apiKeys.watchCalls` sends each call, also a refused one, and
 * ends when the person loses access.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { KeyUsage } from "../../src/features/usage/KeyUsage.ts"
import type { NotedCall } from "../../src/features/usage/KeyCall.ts"
import { UsageStore } from "../../src/features/usage/UsageStore.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aReader, type EventReader } from "../support/eventReader.ts"
import { aLog } from "../support/logs.ts"
import { aPod, type Caller, ownerPassword, type TestPod } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"

const patience = 240_000
const list = "/api/hub/entities?limit=1"

onOneStorage("watching the calls with a key", (storage) => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod(storage, {}, { logging: aLog().layer })
  }, patience)
  afterAll(() => pod.stop())

  const subscribe = ({ headers }: Caller, input: unknown, mount = "/trpc", lastEventId = "") =>
    aReader(`${pod.baseUrl}${mount}/apiKeys.watchCalls?input=${encodeURIComponent(JSON.stringify(input))}`, {
      ...headers,
      accept: "text/event-stream",
      ...(lastEventId === "" ? {} : { "last-event-id": lastEventId })
    })
  /** Opens a subscription, and waits for its first message. */
  const opened = async (...asked: Parameters<typeof subscribe>): Promise<EventReader> => {
    const reader = await subscribe(...asked)
    const [connected] = await reader.events(1)
    assert.strictEqual(connected?.event, "connected", JSON.stringify(connected))
    return reader
  }
  const refusal = async (asked: Promise<EventReader>): Promise<readonly [number, string | undefined]> => {
    const reader = await asked
    await reader.events(1)
    // An open subscription begins with a position, and a refused one has none.
    assert.strictEqual(reader.lastId(), "", "the pod opened the subscription")
    const [error] = await reader.events(1)
    await reader.closed
    assert.strictEqual(error?.event, "serialized-error")
    assert.deepStrictEqual(reader.taken(), [])
    return [error?.data.data.httpStatus, error?.data.data.reason]
  }
  const anotherSession = async (email: string) => {
    const { body } = await pod.stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
    return pod.as({ "x-session-token": body.token })
  }
  const flush = () => pod.run(Effect.flatMap(KeyUsage, ({ flush }) => flush))
  const callsOf = async (person: Caller, keyId: string) => {
    await flush()
    return (await person.query("apiKeys.usage", { keyId })).body.result.data.calls as ReadonlyArray<{ id: string }>
  }
  const shown = (frames: Awaited<ReturnType<EventReader["events"]>>) =>
    frames.map(({ data: { code, operation, status, surface } }) => [surface, operation, status, code].join(" "))

  it("attack: a person cannot watch the calls with a key of another person, and a key or a caller without a session cannot watch any calls", async () => {
    const person = await pod.aPerson()
    const agent = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
    const byAgent = await pod.aKey(pod.owner, { agentId: agent.body.result.data.id })
    const own = await pod.aKey(pod.owner)
    const refusals = [
      [subscribe(person, { keyId: own.id }), 404, undefined],
      [subscribe(person, { keyId: byAgent.id, lastEventId: "0" }), 404, undefined],
      [subscribe(pod.owner, { keyId: uuidv7() }), 404, undefined],
      [subscribe(own, { keyId: own.id }, "/api/hub/trpc"), 403, "SESSION_ONLY"],
      [subscribe(byAgent, { keyId: byAgent.id }, "/api/hub/trpc"), 403, "SESSION_ONLY"],
      [subscribe(byAgent, { keyId: byAgent.id }), 401, "no_auth"],
      [subscribe(pod.owner, { keyId: own.id }, "/api/hub/trpc"), 401, "no_auth"],
      [subscribe(pod.stranger, { keyId: own.id }), 401, "no_auth"],
      [subscribe(pod.owner, { keyId: own.id, lastEventId: "x" }), 400, undefined],
      [subscribe(pod.owner, { keyId: "x" }), 400, undefined],
      [subscribe(pod.owner, {}), 400, undefined]
    ] as const
    for (const [asked, status, reason] of refusals) assert.deepStrictEqual(await refusal(asked), [status, reason])
  })

  it("attack: a person who watches the calls with a key gets no call with another key, whatever position the person sends", async () => {
    const [watched, other] = [await pod.aKey(pod.owner), await pod.aKey(pod.owner)]
    await other.send("GET", list)
    const theirs = await opened(pod.owner, { keyId: other.id, lastEventId: "0" })
    const [call] = await theirs.events(1)
    theirs.close()
    const reader = await opened(pod.owner, { keyId: watched.id, lastEventId: call?.id })
    await other.send("GET", list)
    await pod.as({ authorization: `Bearer svc_user_${"x".repeat(49)}` }).send("GET", list)
    await watched.send("GET", "/api/hub/users/me")
    assert.deepStrictEqual(shown(await reader.events(1)), ["rest GET /api/hub/users/me 200 "])
    assert.deepStrictEqual(reader.taken(), [])
    reader.close()
  })

  it("a subscription to the calls with a key ends with 401 when the person signs out, when the session is ended from elsewhere, and when the person is suspended", async () => {
    const email = `watching-${storage.kind}@example.com`
    const person = await pod.aPerson(email)
    const [second, third] = [await anotherSession(email), await anotherSession(email)]
    const key = await pod.aKey(person)
    const readers = await Promise.all([person, second, third].map((caller) => opened(caller, { keyId: key.id })))
    const ended = async (reader: EventReader | undefined) => {
      await reader?.closed
      const frames = reader?.taken() ?? []
      assert.deepStrictEqual(
        frames.map(({ data, event }) => [event, data.data.httpStatus]),
        [["serialized-error", 401]]
      )
    }
    assert.strictEqual((await person.send("POST", "/auth/sign-out", {})).status, 200)
    await ended(readers[0])
    assert.strictEqual((await third.mutate("sessions.endOthers", {})).status, 200)
    await ended(readers[1])
    await pod.owner.send("PATCH", `/api/hub/people/${person.id}`, { isSuspended: true })
    await ended(readers[2])
  })

  it("attack: a session that opens more streams of calls and events than allowed gets 429", async () => {
    const person = await pod.aPerson()
    const key = await pod.aKey(person)
    const ofEvents = Array.from({ length: 25 }, () => aReader(`${pod.baseUrl}/api/hub/events/stream`, person.headers))
    const ofCalls = Array.from({ length: 25 }, () => opened(person, { keyId: key.id }))
    const open = await Promise.all([...ofEvents, ...ofCalls])
    assert.strictEqual((await refusal(subscribe(person, { keyId: key.id })))[0], 429)
    for (const reader of open) reader.close()
  })

  it("a person who watches the calls with a key, or with a key of their agent, gets each later call on each surface in the same form as in the usage of the key", async () => {
    const agent = await pod.owner.mutate("agents.create", { name: "Reader", capabilities: ["*"] })
    const keys = [await pod.aKey(pod.owner), await pod.aKey(pod.owner, { agentId: agent.body.result.data.id })]
    for (const key of keys) {
      await key.send("GET", list)
      const reader = await opened(pod.owner, { keyId: key.id })
      const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a client", version: "1" } }
      const mcp = { accept: "application/json, text/event-stream" }
      await key.send("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "initialize", params: client }, mcp)
      const [first] = await reader.events(1)
      assert.deepInclude(first?.data, { surface: "mcp", status: 200, clientName: "a client/1" })
      await key.query("svc.me", {})
      const [second] = await reader.events(1)
      reader.close()
      const calls = await callsOf(pod.owner, key.id)
      assert.deepStrictEqual([second?.data, first?.data], calls.slice(0, 2))
      assert.lengthOf(calls, 3)
    }
  })

  it("a person who watches the calls with a key gets refused calls with their reason, also after the key is revoked", async () => {
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
    const reader = await opened(pod.owner, { keyId: key.id })
    await key.send("POST", "/api/hub/entities", { profileSlug: "note", title: "no" })
    const [denied] = await reader.events(1)
    assert.isNotEmpty(denied?.data.reason)
    await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
    await key.send("GET", list)
    const revoked = await reader.events(1)
    assert.deepStrictEqual(shown([denied, ...revoked]), [
      "rest POST /api/hub/entities 403 GRANT_DENIED",
      "rest GET /api/hub/entities 401 key_revoked"
    ])
    reader.close()
  })

  it("with the position `0` a stream of calls begins with the last 50 calls, oldest first, and without a position it begins with the next call", async () => {
    const key = await pod.aKey(pod.owner)
    const old = await opened(pod.owner, { keyId: key.id, lastEventId: "0" })
    for (let made = 0; made < 52; made++) await key.send("GET", list)
    const later = await opened(pod.owner, { keyId: key.id })
    old.close()
    await key.send("GET", "/api/hub/users/me")
    assert.deepStrictEqual(shown(await later.events(1)), ["rest GET /api/hub/users/me 200 "])
    later.close()
    const whole = await opened(pod.owner, { keyId: key.id, lastEventId: "0" })
    const frames = await whole.events(50)
    whole.close()
    const calls = await callsOf(pod.owner, key.id)
    assert.deepStrictEqual(
      frames.map(({ data }) => data),
      calls.toReversed()
    )
  })

  it("a reader of calls that connects again with its last event id misses no call and gets no call twice", async () => {
    const key = await pod.aKey(pod.owner)
    let reader = await opened(pod.owner, { keyId: key.id })
    const got: Array<string> = []
    for (let round = 0; round < 5; round++) {
      const made = round % 2 === 0 ? 1 : 3
      reader.close()
      for (let call = 0; call < made; call++) await key.send("GET", list)
      if (round === 2) await flush()
      reader = await opened(pod.owner, { keyId: key.id }, "/trpc", reader.lastId())
      got.push(...(await reader.events(made)).map(({ data }) => data.id as string))
    }
    reader.close()
    const calls = await callsOf(pod.owner, key.id)
    assert.deepStrictEqual(
      got.toReversed(),
      calls.map(({ id }) => id)
    )
  })

  it("a reader of calls gets a call that another pod has stored later, although the call is older than calls that the reader has", async () => {
    const key = await pod.aKey(pod.owner)
    const reader = await opened(pod.owner, { keyId: key.id })
    await key.send("GET", list)
    await reader.events(1)
    const late: NotedCall = {
      id: uuidv7(),
      keyId: key.id,
      at: DateTime.unsafeMake("2026-01-31T10:00:00.000Z"),
      surface: "procedure",
      operation: "svc.me",
      status: 200,
      code: null,
      reason: null,
      address: null,
      userAgent: null,
      clientName: null,
      proposalId: null
    }
    await pod.run(Effect.flatMap(UsageStore, ({ note }) => note([late])))
    const [call] = await reader.events(1)
    assert.strictEqual(call?.data.id, late.id)
    reader.close()
  })
})
