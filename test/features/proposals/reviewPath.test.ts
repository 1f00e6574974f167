/** Where an answer says that a person looks at a proposal, a person finds it. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mcp } from "../../doors/surfaces.ts"
import { anAttackScene, procedureData, type AttackScene, assertOk } from "../../attacks/attackScene.ts"

describe("the review path of a proposal", () => {
  let ground: AttackScene
  beforeAll(async () => {
    ground = await anAttackScene({ kind: "memory" })
  })
  afterAll(() => ground?.pod.stop())

  interface Asked {
    readonly status: string
    readonly proposalId: string
    readonly reviewPath: string
  }

  const followed = async ({ proposalId, reviewPath, status }: Asked) => {
    assert.strictEqual(status, "proposed")
    const proposal = assertOk(await ground.owner.send("GET", reviewPath))
    assert.strictEqual(proposal.id, proposalId)
    assert.strictEqual((await ground.owner.send("POST", `${reviewPath}/reject`, {})).status, 200)
  }

  const note = { title: "Plan", profileSlug: "note" }

  it("leads to the proposal after a write over REST", async () => {
    await followed(assertOk(await ground.agent.send("POST", "/api/hub/entities", note)))
  })

  it("leads to the proposal after a write over the older mount", async () => {
    await followed(assertOk(await ground.agent.send("POST", "/api/hub-protocol/tracks", { name: "Track" })))
  })

  it("leads to the proposal after a procedure of the bridge", async () => {
    const { agent, agentId, owner, workspaceId } = ground
    const rule = { scopeKind: "workspace", workspaceId, targetKind: "action", verdict: "propose", agentUserId: agentId }
    procedureData(await owner.mutate("governanceRules.create", { ...rule, targetPattern: "event.*" }))
    await followed(procedureData(await agent.mutate("events.log", { type: "pump.started", data: {}, workspaceId })))
  })

  it("leads to the proposal after a tool of MCP", async () => {
    const { message } = await mcp(ground.agent, "tools/call", { name: "svc_create_entity", arguments: note })
    await followed(message.result?.structuredContent as unknown as Asked)
  })

  it("leads to the wish of an agent that asks to be let in", async () => {
    const workspaceId = await ground.pod.aWorkspace(ground.owner, "Other")
    await followed(assertOk(await ground.agent.send("POST", "/api/hub/entities", { ...note, workspaceId })))
  })
})
