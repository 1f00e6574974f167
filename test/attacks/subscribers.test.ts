/**
 * Attacks over HTTP by subscribers of events. The subscribers try to see hidden events, to overload the pod, or to
 * learn secrets from the pod.
 */
import { afterAll, assert, beforeAll } from "@effect/vitest"
import { it } from "vitest"
import { positionText } from "../../src/features/events/StreamPosition.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aMoment } from "../support/aMoment.ts"
import { aReader, type EventReader } from "../support/eventReader.ts"
import { aLog } from "../support/logs.ts"
import { aColleague, takeRole } from "../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { proceduresFor } from "../support/subscriber.ts"
import { assertNoSecrets } from "../wire/edges.ts"

const patience = 240_000
const eventSource = { accept: "text/event-stream" }
const asText = (input: unknown) => `input=${encodeURIComponent(JSON.stringify(input))}`

onOneStorage("attacks by subscribers to events", (storage) => {
  let pod: TestPod
  const log = aLog()
  beforeAll(async () => {
    pod = await aPod(storage, {}, { streams: { heartbeatMs: 40, patienceMs: 2_000 }, logging: log.layer })
  }, patience)
  afterAll(() => pod.stop())

  const subscribe = (
    caller: Caller,
    query = "",
    more: Readonly<Record<string, string>> = eventSource,
    method = "GET"
  ) =>
    aReader(
      `${pod.baseUrl}${proceduresFor(caller.headers)}/events.stream${query === "" ? "" : `?${query}`}`,
      { ...caller.headers, ...more },
      method
    )
  /** Opens a subscription, and waits for its first message. */
  const opened = async (caller: Caller, query = "", more = eventSource): Promise<EventReader> => {
    const reader = await subscribe(caller, query, more)
    const [connected] = await reader.events(1)
    assert.strictEqual(connected?.event, "connected", JSON.stringify(connected))
    return reader
  }
  /**
   * Returns the error of a refused subscription. The answer has the status 200, because the pod sends the refusal as an
   * event.
   */
  const refusal = async (asked: Promise<EventReader>) => {
    const reader = await asked
    assert.strictEqual(reader.status, 200)
    const [connected, error] = await reader.events(2)
    await reader.closed
    assert.deepStrictEqual([connected?.event, error?.event, reader.taken()], ["connected", "serialized-error", []])
    return error?.data as {
      readonly message: string
      readonly data: {
        readonly httpStatus: number
        readonly code: string
        readonly reason?: string
        readonly path?: string
      }
    }
  }
  const logged = async (caller: Caller, more: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const { body, status } = await caller.mutate("events.log", { type: "pump.started", ...more })
    assert.strictEqual(status, 200)
    return body.result.data.id
  }
  const idsOf = (frames: ReadonlyArray<{ readonly data: { readonly id: string } }>) => frames.map(({ data }) => data.id)

  it("the event stream of a subscription has the headers, the messages and the pings that a tRPC client expects", async () => {
    const reader = await opened(pod.owner)
    const { "cache-control": caching, "content-type": type, "x-accel-buffering": buffering } = reader.headers
    assert.deepStrictEqual([type, caching, buffering], ["text/event-stream", "no-cache, no-transform", "no"])
    await reader.heartbeats(3)
    const from = reader.lastId()
    const id = await logged(pod.owner)
    const [item] = await reader.events(1)
    assert.deepStrictEqual([item?.event, item?.data.id], ["message", id])
    assert.notStrictEqual(item?.id, from)
    reader.close()
    const head = await subscribe(pod.owner, "", {}, "HEAD")
    assert.strictEqual(head.status, 204)
  })

  it("attack: a key with a limited grant, or without the needed scope, cannot subscribe and receives no event", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner, "Limited")
    for (const grant of [
      { permissions: ["event.read"] },
      { permissions: ["*"], workspaceIds: [workspaceId] },
      { permissions: ["entity.*.read"] }
    ]) {
      const { data } = await refusal(subscribe(await pod.aKey(pod.owner, { grant })))
      assert.deepStrictEqual([data.httpStatus, data.reason], [403, "GRANT_DOOR_UNSUPPORTED"])
    }
    const { data } = await refusal(subscribe(await pod.aKey(pod.owner, { scope: ["hub-protocol.write"] })))
    assert.deepStrictEqual([data.httpStatus, data.reason], [403, "SCOPE_MISSING"])
  })

  it("attack: a key cannot subscribe at the address for sessions, a session cannot subscribe at the address for keys, and both requests get 401", async () => {
    const key = await pod.aKey(pod.owner)
    for (const [mount, { headers }] of [
      ["/trpc", key],
      ["/api/hub/trpc", pod.owner]
    ] as const) {
      const asked = aReader(`${pod.baseUrl}${mount}/events.stream`, { ...headers, ...eventSource })
      assert.strictEqual((await refusal(asked)).data.httpStatus, 401)
    }
  })

  it("attack: a caller without a credential gets the same answer for every procedure name, and so cannot learn which names exist", async () => {
    const [known, ...others] = ["events.stream", "events.list", "events.nothing"].map(
      (name) => async (accept: string) => {
        const { body, status } = await pod.stranger.send("GET", `/trpc/${name}`, undefined, { accept })
        return [status, JSON.stringify(body).replaceAll(name, "a name")]
      }
    )
    for (const accept of ["*/*", "application/json", "text/event-stream"]) {
      for (const other of others) assert.deepStrictEqual(await other(accept), await known(accept))
    }
    assert.strictEqual((await known("*/*"))[0], 401)
  })

  it("attack: a subscriber gets no events of other people or of a workspace that the subscriber left, whatever position the subscriber sends", async () => {
    const victim = await pod.aPerson()
    const workspaceId = await pod.aWorkspace(victim, "Left")
    const person = await aColleague(pod, storage, workspaceId, "editor", `left-${storage.kind}`)
    const theirs = await opened(victim)
    const foreignId = theirs.lastId()
    const hidden = [await logged(victim), await logged(victim, { workspaceId })]
    const inside = await logged(person, { workspaceId })
    assert.sameMembers(idsOf(await theirs.events(2)), hidden)
    await takeRole(pod, storage, person.id, workspaceId)
    const mine = await logged(person)
    const everySpace = [person.id, victim.id, workspaceId]
    for (const position of [
      foreignId,
      theirs.lastId(),
      positionText(new Map()),
      positionText(new Map([[victim.id, 0]])),
      positionText(new Map([[uuidv7(), Number.MAX_SAFE_INTEGER]])),
      positionText(new Map([[victim.id, Number.MAX_SAFE_INTEGER]])),
      positionText(new Map(everySpace.map((spaceId) => [spaceId, 0])))
    ]) {
      const reader = await opened(person, `lastEventId=${position}`)
      const [first] = await reader.events(1)
      await reader.heartbeats(2)
      assert.deepStrictEqual([first?.data.id, ...idsOf(reader.taken())], [mine], position)
      assert.notInclude([...hidden, inside], first?.data.id)
      reader.close()
    }
    theirs.close()
    const { data } = await refusal(subscribe(person, asText({ workspaceId })))
    assert.deepStrictEqual([data.httpStatus, data.reason], [403, "WORKSPACE_FORBIDDEN"])
  })

  it("a subscription begins after the position in the header `Last-Event-ID`, or else in the parameter `lastEventId`, or else in its input", async () => {
    const person = await pod.aPerson()
    const reader = await opened(person)
    const ids = [await logged(person), await logged(person), await logged(person)]
    const frames = await reader.events(3)
    reader.close()
    const [first, second] = frames.map(({ id }) => id)
    const start = positionText(new Map())
    for (const [query, header, wanted] of [
      [asText({ lastEventId: first }), undefined, ids.slice(1)],
      [`lastEventId=${second}&${asText({ lastEventId: start })}`, undefined, ids.slice(2)],
      [`lastEventId=${start}&${asText({ lastEventId: start })}`, second, ids.slice(2)],
      [`lastEventId=${first}`, undefined, ids.slice(1)]
    ] as const) {
      const again = await opened(person, query, {
        ...eventSource,
        ...(header === undefined ? {} : { "last-event-id": header })
      })
      assert.deepStrictEqual(idsOf(await again.events(wanted.length)), wanted)
      again.close()
    }
  })

  it("attack: a subscription with a malformed or huge input is refused with a readable error that contains no secrets and no source paths", async () => {
    const known = positionText(new Map([[pod.ownerId, 1]]))
    for (const [query, status] of [
      ["input=%7Bbad", 400],
      [asText([]), 400],
      [`lastEventId=${known}&${asText(["x"])}`, 400],
      [asText("x"), 400],
      [asText({ lastEventId: 3 }), 400],
      [asText({ type: {} }), 400],
      [asText({ json: {} }), 400],
      [asText({ unknown: true }), 400],
      [`input=${encodeURIComponent('{"__proto__":{"type":"x"}}')}`, 400],
      [`lastEventId=${known}&lastEventId=${known}`, 400],
      [`lastEventId=${"A".repeat(12_001)}`, 400],
      [`lastEventId=${positionText(new Map([[pod.ownerId, Number.MAX_SAFE_INTEGER]]))}`, 400],
      [`input=${encodeURIComponent("[".repeat(2_000))}`, 400],
      [`trpc=1&connectionParams=${encodeURIComponent('{"authorization":"Bearer svc_user_secret"}')}`, 400]
    ] as const) {
      const error = await refusal(subscribe(pod.owner, query))
      assert.strictEqual(error.data.httpStatus, status, query.slice(0, 200))
      assert.isBelow(JSON.stringify(error).length, 2_000, query.slice(0, 200))
      assert.notMatch(JSON.stringify(error), /svc_user|\.ts:\d|node_modules/, query.slice(0, 200))
    }
    assert.strictEqual((await subscribe(pod.owner, asText({ type: "x".repeat(20_000) }))).status, 431)
    assertNoSecrets(log, ["svc_user_secret"])
  })

  it("attack: the pod opens no event stream for a batch that contains a subscription, for a POST with a body, or for a batch of an unknown kind", async () => {
    const batch = await pod.owner.send("GET", "/trpc/events.stream,events.stream?batch=1&input=%7B%7D")
    assert.deepStrictEqual([batch.status, batch.body.length, batch.body[0].error.data.httpStatus], [400, 2, 400])
    for (const [path, headers] of [
      ["/trpc/events.stream?batch=1", {}],
      ["/trpc/events.stream,events.list?batch=1", {}],
      ["/trpc/events.stream,events.nothing?batch=1", {}],
      ["/trpc/events.stream?batch=1", { "trpc-accept": "application/jsonl" }],
      ["/trpc/events.stream,events.stream?batch=1", { "trpc-accept": "application/jsonl" }],
      ["/trpc/events.stream", { "trpc-accept": "application/jsonl" }]
    ] as const) {
      assert.strictEqual((await pod.owner.send("GET", path, undefined, headers)).status, 400, path)
    }
    const posted = await pod.owner.send("POST", "/trpc/events.stream", { lastEventId: "x" })
    assert.deepStrictEqual([posted.status, posted.headers.get("allow")], [200, "GET"])
    assert.match(String(posted.body), /^event: connected\n[^]*event: serialized-error\ndata: .*"httpStatus":405/)
  })

  it("attack: a credential that opens more event streams than allowed, over REST and as subscriptions together, gets 429", async () => {
    const key = await pod.aKey(pod.owner)
    const overRest = Array.from({ length: 25 }, () => aReader(`${pod.baseUrl}/api/hub/events/stream`, key.headers))
    const open = await Promise.all([...overRest, ...Array.from({ length: 25 }, () => opened(key))])
    const refused = await subscribe(key)
    const [, error] = await refused.events(2)
    assert.deepStrictEqual([error?.data.data.code, refused.headers["retry-after"]], ["TOO_MANY_REQUESTS", "60"])
    assert.strictEqual((await aReader(`${pod.baseUrl}/api/hub/events/stream`, key.headers)).status, 429)
    for (const reader of open) reader.close()
  })

  it("attack: a subscription with a revoked key gets no event that is written immediately after the revocation", async () => {
    const person = await pod.aPerson()
    const key = await pod.aKey(person)
    const reader = await opened(key)
    await person.mutate("apiKeys.revoke", { keyId: key.id })
    await logged(person)
    await reader.closed
    const [error, ...others] = reader.taken()
    assert.deepStrictEqual([error?.event, error?.data.data.httpStatus], ["serialized-error", 401])
    assert.lengthOf(others, 0)
  })

  it(
    "attack: the pod disconnects a subscriber that does not read, and the subscriber continues later without missing an event",
    async () => {
      const person = await pod.aPerson()
      const warnings: Array<string> = []
      const note = ({ message }: Error) => void (message.includes("ServerResponse") && warnings.push(message))
      process.on("warning", note)
      const reader = await opened(person)
      reader.pause()
      const made: Array<string> = []
      const text = "x".repeat(900_000)
      for (let at = 0; at < 16; at++) made.push(await logged(person, { data: { text } }))
      const isCut = () => log.lines.some(({ fields }) => fields["ended"] === "slow")
      // This loop waits until the pod ends the slow stream.
      while (!isCut()) await aMoment()
      reader.resume()
      await reader.closed
      const before = reader.taken()
      const again = await opened(person, `lastEventId=${reader.lastId()}`)
      const rest = await again.events(made.length - before.length)
      assert.deepStrictEqual([...idsOf(before), ...idsOf(rest)], made)
      again.close()
      process.off("warning", note)
      // A slow reader makes the pod wait many times. Node.js prints a warning if these waits leave listeners on the
      // connection.
      assert.deepStrictEqual(warnings, [])
    },
    patience
  )

  it("when a pod stops, it ends its event subscriptions at once, and does not tell the subscribers that the event log has ended", async () => {
    const other = await aPod({ kind: "memory" })
    const reader = await aReader(`${other.baseUrl}/trpc/events.stream`, { ...other.owner.headers, ...eventSource })
    await reader.events(1)
    await other.stop()
    await reader.closed
    assert.deepStrictEqual(reader.taken(), [])
  })
})
