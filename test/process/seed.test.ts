/**
 * POD_SEED=demo: the pod creates the sample data once through its operations. The sample has open proposals and can be
 * removed.
 */
import { aMoment } from "../support/aMoment.ts"
import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { afterAll, beforeAll, vi } from "vitest"
import { findSample, removeSample } from "../../src/shared/Sample.ts"
import { sampleFacts } from "../../src/shared/SampleContent.ts"
import type { SampleCaller } from "../../src/shared/SampleCalls.ts"
import { socketCaller } from "../../src/seed/SeedCall.ts"
import { type BuiltPod, type Folder, startPod } from "../support/builtPod.ts"
import { ask, type RequestHeaders, signInOwner } from "../support/client.ts"
import { aPreparedFolder } from "../support/podPair.ts"

const environment = { POD_SEED: "demo" }
let folder: Folder
let pod: BuiltPod
let session: RequestHeaders
let operator: SampleCaller

/** Resolves when the pod has written this text to its log. */
const logged = async (text: string): Promise<void> => {
  await vi.waitUntil(() => pod.output().includes(text), { timeout: 200_000, interval: 100 })
}

beforeAll(async () => {
  folder = await aPreparedFolder()
  pod = await startPod({ dataDir: folder.path, environment })
  session = await signInOwner(pod.baseUrl)
  operator = socketCaller(join(folder.path, "admin.sock"))
  await logged("The sample data was made")
})
afterAll(async () => {
  await pod.kill()
  folder.remove()
})

const items = async (path: string): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const { body } = await ask(pod.baseUrl, "GET", path, session)
  // The answer of a list is an array, or an object that contains an array.
  const found: unknown = Array.isArray(body) ? body : Object.values(body as object).find(Array.isArray)
  return found as ReadonlyArray<Record<string, unknown>>
}

const sampleWebhooks = async (): Promise<ReadonlyArray<Record<string, unknown>>> =>
  (await items("/api/hub/webhooks")).filter(({ name }) => name === "Warehouse (sample)")

describe("the sample data", () => {
  it("the sample data has forty knowledge entries, three projects, facts, a webhook, ten parcel events with a cause, and six proposals that wait for a decision", async () => {
    const workspace = (await items("/api/hub/workspaces")).find(({ name }) => name === "Acme demo")
    const id = String(workspace?.["id"])
    assert.lengthOf(await items(`/api/hub/knowledge?workspaceId=${id}&limit=100`), 40)
    assert.lengthOf(await items(`/api/hub/projects?workspaceId=${id}`), 3)
    const proposals = await items("/api/hub/proposals?status=pending&limit=50")
    assert.lengthOf(proposals, 6)
    const arrived = await ask(
      pod.baseUrl,
      "GET",
      `/trpc/events.list?input=${encodeURIComponent(JSON.stringify({ type: "parcel.arrived", limit: 50 }))}`,
      session
    )
    const events = (arrived.body as { result: { data: ReadonlyArray<Record<string, unknown>> } }).result.data
    assert.lengthOf(events, 10)
    assert.isTrue(events.every(({ causationId }) => typeof causationId === "string"))
    assert.lengthOf(await items("/api/hub/memory?limit=100"), sampleFacts.length)
    const [webhook, ...others] = await sampleWebhooks()
    assert.deepStrictEqual(others, [])
    const listed = () => items(`/api/hub/webhooks/${String(webhook["id"])}/deliveries`)
    const hasFailed = (all: Awaited<ReturnType<typeof listed>>) =>
      all.some(({ error, status }) => status === "pending" && error !== null)
    let deliveries = await listed()
    // The pod makes the first real call only after the sample is there.
    while (!hasFailed(deliveries)) {
      await aMoment()
      deliveries = await listed()
    }
    const repaired = deliveries.filter(({ status }) => status === "success")
    assert.deepStrictEqual(
      repaired.map(({ attempt, responseStatus }) => [attempt, responseStatus]),
      [[3, "200"]]
    )
  })

  it("the next start of the pod does not create the sample data again after the local operator has removed it", async () => {
    assert.isDefined(await findSample(operator))
    const backup = await ask(pod.baseUrl, "POST", "/api/hub/setup/backups", session, {})
    assert.deepStrictEqual([backup.status, (backup.body as { code?: string }).code], [403, "OPERATOR_ONLY"])
    assert.isTrue(await removeSample(operator))
    assert.isUndefined(await findSample(operator))
    assert.isUndefined((await items("/api/hub/workspaces")).find(({ name }) => name === "Acme demo"))
    assert.lengthOf(await items("/api/hub/proposals?status=pending&limit=50"), 0)
    assert.lengthOf(await items("/api/hub/memory?limit=100"), 0)
    assert.lengthOf(await sampleWebhooks(), 0)
    assert.isFalse(await removeSample(operator))
    await pod.terminate()
    pod = await startPod({ dataDir: folder.path, environment })
    session = await signInOwner(pod.baseUrl)
    await logged("POD_SEED has no effect")
    assert.isUndefined((await items("/api/hub/workspaces")).find(({ name }) => name === "Acme demo"))
  })
})
