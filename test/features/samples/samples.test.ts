/**
 * The sample data are created once, even if a first attempt was killed. They are removed only if the rules for writes
 * (the gate) allow it. The removal leaves an event.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { findSample, hasSample, makeSample, removeSample } from "../../../src/shared/Sample.ts"
import type { SampleCaller } from "../../../src/shared/SampleCalls.ts"
import { sampleTemplate, sampleType } from "../../../src/shared/SampleMark.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { database } from "../../support/storages.ts"

let pod: TestPod
let operator: SampleCaller

/** The caller that creates the sample. After `callsMax` calls, every call throws, as if the process were killed. */
const callerOf = (caller: Caller, callsMax = Number.POSITIVE_INFINITY): SampleCaller => {
  let calls = 0
  return async (method, path, body, key) => {
    calls += 1
    if (calls > callsMax) throw new Error("killed")
    const by = key === undefined ? caller : pod.as({ authorization: `Bearer ${key}` })
    const answer = await by.send(method, path, body)
    if (answer.status !== 200)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}

beforeAll(async () => {
  pod = await aPod(database, {}, { hasSocket: true })
  operator = callerOf(pod.operator!)
})
afterAll(() => pod?.stop())

type Row = Readonly<Record<string, any>>

const workspaces = async (caller: Caller): Promise<ReadonlyArray<Row>> =>
  (await caller.send("GET", "/api/hub/workspaces")).body.workspaces.filter(({ name }: Row) => name === "Acme demo")
const listed = async (procedure: string, input: unknown = {}): Promise<ReadonlyArray<Row>> => {
  const { data } = (await pod.owner.query(procedure, input)).body.result
  return Array.isArray(data) ? data : data.items
}
const removals = async () =>
  (await pod.owner.send("GET", "/api/hub/events?type=workspace.delete")).body as ReadonlyArray<Row>

describe("the sample data", () => {
  it("the sample data cannot be removed by a key of the owner, and another person cannot remove even their own sample workspace", async () => {
    const other = await pod.aPerson()
    const definition = { workspaceName: "Mine", templateId: sampleTemplate, workspaceType: sampleType }
    const mine = await other.send("POST", "/api/hub/workspaces/from-definition", definition)
    assert.strictEqual(mine.status, 200, JSON.stringify(mine.body))
    for (const [caller, code] of [
      [await pod.aKey(pod.owner), "SESSION_ONLY"],
      [other, "OWNER_ONLY"]
    ] as const) {
      const { body, status } = await caller.send("POST", "/api/hub/setup/sample-removal", {})
      assert.deepStrictEqual([status, body.code], [403, code])
    }
    const { workspaceId } = mine.body
    assert.strictEqual((await other.send("GET", `/api/hub/workspaces/${workspaceId}`)).status, 200)
  })

  it("the pod makes a delivery for the sample data only if the address of the webhook can never have a receiver and the event is in the caller's own sample workspace", async () => {
    const other = await pod.aPerson()
    const ok = async (asked: ReturnType<Caller["send"]>) => {
      const { body, status } = await asked
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const aWorkspace = async (caller: Caller, more: object) =>
      (await ok(caller.send("POST", "/api/hub/workspaces/from-definition", { workspaceName: "Small", ...more })))
        .workspaceId as string
    const sample = { templateId: sampleTemplate, workspaceType: sampleType }
    const [inSample, elsewhere] = [await aWorkspace(other, sample), await aWorkspace(other, {})]
    const anEvent = async (workspaceId: string) =>
      (await ok(other.mutate("events.log", { type: "parcel.sent", workspaceId }))).result.data.id as string
    const aWebhook = async (caller: Caller, url: string) => {
      const draft = { name: "Small", url, eventTypes: ["small.happened"] }
      return (await ok(caller.mutate("webhooks.create", draft))).result.data.subscription.id as string
    }
    const deliver = (webhookId: string, eventId: string, caller: Caller = other) =>
      caller.send("POST", "/api/hub/setup/sample-delivery", { webhookId, eventId })
    const [event, webhook] = [await anEvent(inSample), await aWebhook(other, "https://warehouse.acme.example/pod")]
    const refusals = [
      [await deliver(await aWebhook(other, "https://hooks.example.com/in"), event), 400],
      [await deliver(await aWebhook(other, "https://hooks.example/in"), await anEvent(elsewhere)), 404],
      [await deliver(await aWebhook(pod.owner, "https://hooks.example/in"), event), 404],
      [await deliver(webhook, event, pod.owner), 404],
      [await deliver(webhook, event, await pod.aKey(other)), 403]
    ] as const
    for (const [{ body, status }, expected] of refusals) assert.strictEqual(status, expected, JSON.stringify(body))
    const deliveries = async () =>
      (await ok(other.query("webhooks.deliveries", { subscriptionId: webhook }))).result.data as ReadonlyArray<Row>
    assert.deepStrictEqual(await deliveries(), [])
    const { deliveryId } = await ok(deliver(webhook, event))
    assert.strictEqual((await deliver(webhook, await anEvent(inSample))).status, 400)
    assert.deepStrictEqual(
      (await deliveries()).map(({ attempt, eventId, id, status }) => [id, eventId, status, attempt]),
      [[deliveryId, event, "success", 3]]
    )
    const asked = { subscriptionId: webhook, deliveryId }
    const calls = (await ok(other.query("webhooks.attempts", asked))).result.data as ReadonlyArray<Row>
    assert.deepStrictEqual(
      calls.map(({ requestBody, responseStatus }) => [responseStatus, JSON.parse(requestBody).webhook.attempt]),
      [
        [null, 1],
        ["503", 2],
        ["200", 3]
      ]
    )
  })

  it("if the creation of sample data is killed several times, each time at another call, the next attempt completes the sample data and creates nothing twice", async () => {
    for (const calls of [6, 40, 130, 150]) {
      const killed = await makeSample(callerOf(pod.operator!, calls)).then(
        () => "made",
        ({ message }: Error) => message
      )
      assert.strictEqual(killed, "killed", String(calls))
      assert.isUndefined(await findSample(operator))
    }
    const report = await makeSample(operator)
    assert.isDefined(await findSample(operator))
    assert.deepStrictEqual(
      (await workspaces(pod.owner)).map(({ id }) => id),
      [report.workspaceId]
    )
    const active = (await listed("webhooks.list")).filter(({ name }) => name === "Warehouse (sample)")
    assert.lengthOf(active, 1)
    assert.lengthOf(
      (await listed("agents.list")).filter(({ name }) => name === "Demo assistant"),
      1
    )
    const keys = (await listed("apiKeys.list", { limit: 200 })).filter(
      ({ keyName }) => keyName === "Demo assistant (sample)"
    )
    assert.lengthOf(
      keys.filter(({ isActive }) => isActive),
      1
    )
    const facts = (await pod.owner.send("GET", "/api/hub/memory?limit=100")).body
    const rows = Array.isArray(facts) ? facts : (Object.values(facts).find(Array.isArray) as ReadonlyArray<Row>)
    assert.lengthOf(rows, report.facts)
  })

  it("the gate decides on the removal of sample data, the pod logs one event about the removal, and the sample data of other people stays", async () => {
    const other = await pod.aPerson()
    await makeSample(callerOf(other))
    const [ours] = await workspaces(pod.owner)
    const before = (await removals()).length
    // The owner of the pod cannot read the workspaces of other people, so `kept` does not count these workspaces.
    for (const removed of [1, 0]) {
      const { body } = await pod.operator!.send("POST", "/api/hub/setup/sample-removal", {})
      assert.deepStrictEqual(body, { removed, kept: 0 })
    }
    assert.lengthOf(await workspaces(pod.owner), 0)
    assert.lengthOf(await workspaces(other), 1)
    const [event, ...earlier] = await removals()
    assert.lengthOf(earlier, before)
    assert.strictEqual(event?.["subjectId"], ours?.["id"])
    assert.deepInclude(event?.["metadata"], { origin: "local-operator" })
    assert.deepInclude(event?.["decision"], { verdict: "allow", permission: "workspace.delete" })
    assert.isTrue(await removeSample(operator))
    const keys = (await listed("apiKeys.list", { limit: 200 })).filter(
      ({ keyName }) => keyName === "Demo assistant (sample)"
    )
    assert.isFalse(keys.some(({ isActive }) => isActive))
    assert.isFalse(await removeSample(operator))
  })

  it("the owner of the pod can remove the sample data after a sign-in, even if the pod was killed while it created the sample data", async () => {
    const owner = callerOf(pod.owner)
    for (const calls of [60, Number.POSITIVE_INFINITY]) {
      await makeSample(callerOf(pod.owner, calls)).catch(() => undefined)
      assert.isTrue(await hasSample(owner), String(calls))
      assert.isTrue(await removeSample(owner))
      assert.isFalse(await hasSample(owner))
      assert.lengthOf(await workspaces(pod.owner), 0)
    }
  })
})
