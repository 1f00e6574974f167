/**
 * Runs of automations over the procedure bridge, on each storage. A caller sees only runs that belong to the same
 * person as the caller, and only runs that the caller's grant covers.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { AutomationRun } from "../../../src/features/automations/AutomationRun.ts"
import { keptRecord } from "../../support/keptRecord.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const automationId = "0190a0a0-0000-7000-8003-000000000001"
const startedAt = DateTime.unsafeMake("2026-01-01T08:00:00.000Z")

for (const [where, storage] of storages) {
  describe(`runs of automations ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let other: Caller & { readonly id: string }
    let own: string
    let shared: string
    const aRun = (status: AutomationRun["status"], spaceId?: string) =>
      keptRecord(
        pod,
        AutomationRun,
        {
          automationId,
          ruleId: null,
          eventId: null,
          status,
          startedAt,
          finishedAt: null,
          output: { sent: 1 },
          error: null
        },
        pod.ownerId,
        spaceId
      )
    beforeAll(async () => {
      pod = await aPod(storage)
      other = await pod.aPerson()
      workspaceId = await pod.aWorkspace(pod.owner)
      await pod.owner.send("GET", "/api/hub/workspaces")
      own = await aRun("succeeded")
      shared = await aRun("failed", workspaceId)
    })
    afterAll(() => pod?.stop())

    const listed = async (caller: Caller, input: Readonly<Record<string, unknown>> = {}) => {
      const { body, status } = await caller.query("automations.listRuns", input)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.result.data.map(({ id }: { readonly id: string }) => id)
    }

    it("a request for an automation run of another person gets the same answer as for a run that does not exist", async () => {
      const key = await pod.aKey(other)
      assert.deepStrictEqual(await listed(key), [])
      const [foreign, missing] = [own, automationId].map((runId) => key.query("automations.getRun", { runId }))
      assert.deepStrictEqual([(await foreign).status, (await foreign).body], [404, (await missing).body])
      assert.strictEqual((await key.query("automations.listRuns", { workspaceId })).status, 403)
    })

    it("a key whose grant does not contain automations sees no automation run, and a key for a workspace sees only the runs in that workspace", async () => {
      const blind = await pod.aKey(pod.owner, { grant: { permissions: ["track.read"] } })
      assert.deepStrictEqual(await listed(blind), [])
      assert.strictEqual((await blind.query("automations.getRun", { runId: own })).status, 404)
      const bound = await pod.aKey(pod.owner, {
        grant: { permissions: ["automation.read"], workspaceIds: [workspaceId] }
      })
      assert.deepStrictEqual(await listed(bound), [shared])
      assert.strictEqual((await bound.query("automations.getRun", { runId: own })).status, 404)
    })

    it("automation runs are listed newest first, can be filtered, and are read with all their fields", async () => {
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["automation.read"] } })
      assert.deepStrictEqual(await listed(key), [shared, own])
      assert.deepStrictEqual(await listed(key, { automationId, status: "succeeded" }), [own])
      assert.deepStrictEqual(await listed(key, { automationId: pod.ownerId }), [])
      assert.deepStrictEqual(await listed(key, { workspaceId }), [shared])
      const { body } = await key.query("automations.getRun", { runId: shared })
      assert.deepInclude(body.result.data, {
        id: shared,
        workspaceId,
        status: "failed",
        startedAt: "2026-01-01T08:00:00.000Z",
        output: { sent: 1 }
      })
    })
  })
}
