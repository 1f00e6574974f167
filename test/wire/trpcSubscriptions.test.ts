/**
 * The official tRPC client subscribes to the events of a pod: it gets events, loses its connection, continues, and is
 * refused.
 */
import { assert, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { aMoment } from "../support/aMoment.ts"
import { aFaultProxy } from "../support/faultProxy.ts"
import { aLog } from "../support/logs.ts"
import { aColleague } from "../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { aSubscriber, aSubscribingClient, proceduresFor, type Tracked } from "../support/subscriber.ts"

const patience = 240_000

onOneStorage("subscriptions of the official client", (storage) => {
  let pod: TestPod
  const log = aLog()
  beforeAll(async () => {
    pod = await aPod(storage, {}, { logging: log.layer })
  }, patience)
  afterAll(() => pod.stop())

  const clientOf = ({ headers }: Caller, baseUrl = pod.baseUrl) =>
    aSubscribingClient(baseUrl + proceduresFor(headers), headers)
  const watch = (caller: Caller, input?: Parameters<typeof aSubscriber>[1]) => aSubscriber(clientOf(caller), input)
  const logged = async (caller: Caller, more: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const { body, status } = await caller.mutate("events.log", { type: "pump.started", ...more })
    assert.strictEqual(status, 200)
    return body.result.data.id
  }
  const idsOf = (items: ReadonlyArray<Tracked>) => items.map(({ data }) => data.id)

  it("a tRPC subscriber with a session or a key gets each new event in the same form as in the list of events", async () => {
    const person = await pod.aPerson()
    for (const caller of [person, await pod.aKey(person), await pod.aKey(person, { scope: ["realtime:observe"] })]) {
      const subscriber = watch(caller)
      await subscriber.opened
      const ids = [await logged(person, { data: { text: "two\nlines" } }), await logged(person)]
      const items = await subscriber.next(2)
      const { body } = await person.send("GET", "/api/hub/events?limit=2")
      assert.deepStrictEqual(items.map(({ data }) => data as unknown).toReversed(), body)
      assert.deepStrictEqual(idsOf(items), ids)
      subscriber.leave()
    }
  })

  it("a loop over a tRPC subscription gets the events in order, and the stream ends when the client leaves the loop", async () => {
    const person = await pod.aPerson()
    const ending = new AbortController()
    const [from] = await firstPosition(person)
    const wanted = [await logged(person), await logged(person), await logged(person)]
    const got: Array<string> = []
    const items = clientOf(person).events.stream.subscribe({ lastEventId: from }, { signal: ending.signal })
    for await (const { data } of items) {
      got.push(data.id)
      if (got.length === wanted.length) break
    }
    ending.abort()
    assert.deepStrictEqual(got, wanted)
    const isNoted = () => log.lines.some(({ fields }) => fields["ended"] === "left" && fields["events"] === 3)
    while (!isNoted()) await aMoment()
  })

  /** Logs an event. Returns the position of the event in the event log, and the id of the event. */
  const firstPosition = async (person: Caller): Promise<readonly [position: string, eventId: string]> => {
    const subscriber = watch(person)
    await subscriber.opened
    const eventId = await logged(person)
    const [item] = await subscriber.next(1)
    subscriber.leave()
    assert.strictEqual(item?.data.id, eventId)
    return [item?.id ?? "", eventId]
  }

  it(
    "a tRPC subscriber that continues from its last event id misses no event and gets no event twice, while others write",
    async () => {
      const person = await pod.aPerson()
      const workspaceId = await pod.aWorkspace(person, "Shared")
      const other = await aColleague(pod, storage, workspaceId, "editor", `subscribed-${storage.kind}`)
      let [last] = await firstPosition(person)
      const made: Array<string> = []
      const write = async () => {
        for (let round = 0; round < 30; round++) {
          const mine = logged(person, round % 2 === 0 ? { workspaceId } : {})
          await Promise.all([mine, logged(other, { workspaceId })])
          made.push(await mine)
        }
      }
      const writing = write()
      const got: Array<string> = []
      for (const count of [1, 4, 7, 3, 10, 5]) {
        const subscriber = watch(person, { lastEventId: last })
        const items = await subscriber.next(count)
        subscriber.leave()
        got.push(...idsOf(items))
        last = items.at(-1)?.id ?? ""
      }
      await writing
      assert.sameMembers(got, made)
      assert.strictEqual(new Set(got).size, got.length)
    },
    patience
  )

  it(
    "a subscriber whose connection is cut connects again and misses no event, even if it was cut before the first event",
    async () => {
      const person = await pod.aPerson()
      const proxy = await aFaultProxy(pod.baseUrl)
      const asked: Array<string | null> = []
      const url = `http://127.0.0.1:${proxy.port}/trpc`
      const subscriber = aSubscriber(aSubscribingClient(url, person.headers, (_, last) => asked.push(last)))
      await subscriber.opened
      proxy.cut()
      const before = await logged(person)
      assert.deepStrictEqual(idsOf(await subscriber.next(1)), [before])
      proxy.cut()
      const after = [await logged(person), await logged(person)]
      assert.deepStrictEqual(idsOf(await subscriber.next(2)), after)
      assert.lengthOf(asked, 3)
      assert.isNull(asked[0])
      subscriber.leave()
      await proxy.close()
    },
    patience
  )

  it("a tRPC subscription with a filter gets only events of the requested type, of the requested first word of the type, or of the requested workspace", async () => {
    const person = await pod.aPerson()
    const workspaceId = await pod.aWorkspace(person, "Filtered")
    const asked = [{ type: "pump.stopped" }, { entityType: "entity" }, { workspaceId }]
    const subscribers = asked.map((input) => watch(person, input))
    await Promise.all(subscribers.map(({ opened }) => opened))
    const there = await logged(person, { workspaceId })
    const { body } = await person.send("POST", "/api/hub/entities", { title: "A note", profileSlug: "note" })
    const stopped = await logged(person, { type: "pump.stopped" })
    const [[byType], [byWord], [bySpace]] = await Promise.all(subscribers.map(({ next }) => next(1)))
    assert.deepStrictEqual([byType?.data.id, byWord?.data.subjectId, bySpace?.data.id], [stopped, body.id, there])
    for (const { leave } of subscribers) leave()
  })

  it("if the pod refuses a tRPC subscription, the subscriber gets an error with code, status and reason", async () => {
    const dead = await pod.aKey(pod.owner)
    await pod.owner.mutate("apiKeys.revoke", { keyId: dead.id })
    const foreign = await pod.aWorkspace(await pod.aPerson(), "Theirs")
    const refusals = [
      [watch(pod.stranger), 401, "no_auth"],
      [watch(pod.as({ authorization: `Bearer svc_user_${"x".repeat(40)}` })), 401, "key_revoked"],
      [watch(dead), 401, "key_revoked"],
      [watch(await pod.aKey(pod.owner, { scope: ["mcp.read"] })), 403, "SCOPE_MISSING"],
      [watch(await pod.aKey(pod.owner, { grant: { permissions: ["event.read"] } })), 403, "GRANT_DOOR_UNSUPPORTED"],
      [watch(pod.owner, { workspaceId: foreign }), 403, "WORKSPACE_FORBIDDEN"],
      [watch(pod.owner, { lastEventId: "x" }), 400, undefined],
      [watch(pod.owner, { since: "x" } as object), 400, undefined]
    ] as const
    for (const [{ failed }, status, reason] of refusals) {
      const { data } = await failed
      assert.deepStrictEqual([data?.httpStatus, data?.reason], [status, reason])
    }
  })

  it("open tRPC subscriptions end at once with an error after the key of the subscriber is revoked, and after the person signs out or is suspended", async () => {
    const person = await pod.aPerson(`unsubscribed-${storage.kind}@example.com`)
    const [key, second] = [await pod.aKey(person), await pod.aKey(person)]
    const [byKey, bySession, bySecond] = [watch(key), watch(person), watch(second)]
    await Promise.all([byKey.opened, bySession.opened, bySecond.opened])
    await person.mutate("apiKeys.revoke", { keyId: key.id })
    const { data, message } = await byKey.failed
    assert.deepStrictEqual([data?.code, data?.httpStatus, data?.path], ["UNAUTHORIZED", 401, "events.stream"])
    assert.isNotEmpty(message)
    assert.strictEqual((await person.send("POST", "/auth/sign-out", {})).status, 200)
    assert.strictEqual((await bySession.failed).data?.httpStatus, 401)
    await pod.owner.send("PATCH", `/api/hub/people/${person.id}`, { isSuspended: true })
    assert.strictEqual((await bySecond.failed).data?.httpStatus, 401)
  })
})
