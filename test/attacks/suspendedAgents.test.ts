/**
 * A suspended agent can do nothing with any of its keys. The person who owns the agent can still work, and can resume
 * the agent.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import type { Caller } from "../support/pod.ts"
import { mcp } from "../doors/surfaces.ts"
import { onOneStorage } from "../support/storages.ts"
import { anAttackScene, procedureData, type AttackScene, assertRefused } from "./attackScene.ts"

onOneStorage("attack: a suspended agent tries to continue", (storage) => {
  let ground: AttackScene
  beforeAll(async () => {
    ground = await anAttackScene(storage)
  })
  afterAll(() => ground?.pod.stop())

  const suspend = (isSuspended: boolean) =>
    ground.owner.mutate("agents.update", { agentId: ground.agentId, isSuspended })
  const uses = async (caller: Caller) => [
    (await caller.send("GET", "/api/hub/users/me")).status,
    (await caller.send("GET", "/api/hub/entities")).status,
    (await caller.query("entities.getEntities", {})).status,
    (await caller.send("POST", "/api/hub/entities", { title: "asked", profileSlug: "note" })).status,
    (await mcp(caller, "tools/call", { name: "svc_get_entities", arguments: {} })).status
  ]

  it("attack: every key of a suspended agent gets 401 at once over REST, tRPC and MCP, and is valid again after a person resumes the agent", async () => {
    const { agent, owner, pod } = ground
    const keys = [agent, await pod.aKey(owner, { agentId: ground.agentId })]
    for (const key of keys) assert.deepStrictEqual(await uses(key), [200, 200, 200, 200, 200])
    assert.strictEqual(procedureData(await suspend(true)).isSuspended, true)
    for (const key of keys) assert.deepStrictEqual(await uses(key), [401, 401, 401, 401, 401])
    // The pod also refuses a key that is made during the suspension.
    assert.deepStrictEqual(await uses(await pod.aKey(owner, { agentId: ground.agentId })), [401, 401, 401, 401, 401])
    // The pod still accepts the person and the person's other agents.
    const otherId = procedureData(await owner.mutate("agents.create", { name: "Other", capabilities: ["*"] })).id
    for (const key of [await pod.aKey(owner), await pod.aKey(owner, { agentId: otherId })]) {
      assert.deepStrictEqual(await uses(key), [200, 200, 200, 200, 200])
    }
    const listed = procedureData(await owner.query("agents.list", {})) as ReadonlyArray<{
      id: string
      isSuspended: boolean
    }>
    assert.deepStrictEqual(
      listed.map(({ isSuspended }) => isSuspended),
      [true, false]
    )
    assert.strictEqual(procedureData(await suspend(false)).isSuspended, false)
    for (const key of keys) assert.deepStrictEqual(await uses(key), [200, 200, 200, 200, 200])
  })

  it("attack: neither a key of a suspended agent, nor a key of its owner, nor another person can resume the agent", async () => {
    const { agent, agentId, owner, pod, victim } = ground
    procedureData(await suspend(true))
    for (const key of [agent, await pod.aKey(owner)]) {
      const answer = await key.mutate("agents.update", { agentId, isSuspended: false })
      assert.include([401, 403], answer.status)
    }
    assertRefused(await victim.mutate("agents.update", { agentId, isSuspended: false }), 403)
    assert.strictEqual((await agent.send("GET", "/api/hub/users/me")).status, 401)
    procedureData(await suspend(false))
  })

  it("attack: a proposal of a suspended agent cannot be approved", async () => {
    const { agent, owner } = ground
    const { proposalId } = (await agent.send("POST", "/api/hub/tracks", { name: "Proposed" })).body
    procedureData(await suspend(true))
    const approval = await owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})
    assert.strictEqual(approval.status, 409, JSON.stringify(approval.body))
    procedureData(await suspend(false))
  })
})
