/**
 * An answer contains a path at which a person can review a proposal. This path leads to the page of the proposal in the
 * console.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { mcp } from "../../doors/surfaces.ts"
import { anAttackScene, procedureData, type AttackScene, assertOk } from "../../attacks/attackScene.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPod } from "../../support/pod.ts"

describe("the review path in the answer to a proposed write", () => {
  let ground: AttackScene
  beforeAll(async () => {
    ground = await anAttackScene({ kind: "memory" })
  })
  afterAll(() => ground?.pod.stop())

  interface Asked {
    readonly status: string
    readonly proposalId: string
    readonly reviewPath: string
    readonly reviewUrl: string
    readonly message: string
  }

  const followed = async ({ proposalId, reviewPath, status }: Asked) => {
    assert.strictEqual(status, "proposed")
    assert.strictEqual(reviewPath, `/admin/inbox/${proposalId}`)
    const screen = await ground.pod.stranger.send("GET", reviewPath)
    assert.deepStrictEqual([screen.status, screen.headers.get("content-type")], [200, "text/html; charset=utf-8"])
    assert.strictEqual((await ground.owner.send("POST", `/api/hub/proposals/${proposalId}/reject`, {})).status, 200)
  }

  const note = { title: "Plan", profileSlug: "note" }

  it("the review path in the answer to a REST write leads to the proposal", async () => {
    await followed(assertOk(await ground.agent.send("POST", "/api/hub/entities", note)))
  })

  it("the review path in the answer to a write on the older URL of the API leads to the proposal", async () => {
    await followed(assertOk(await ground.agent.send("POST", "/api/hub-protocol/tracks", { name: "Track" })))
  })

  it("the review path in the answer to a tRPC call leads to the proposal", async () => {
    const { agent, agentId, owner, workspaceId } = ground
    const rule = { scopeKind: "workspace", workspaceId, targetKind: "action", verdict: "propose", agentUserId: agentId }
    procedureData(await owner.mutate("governanceRules.create", { ...rule, targetPattern: "event.*" }))
    await followed(procedureData(await agent.mutate("events.log", { type: "pump.started", data: {}, workspaceId })))
  })

  it("the review path in the answer to an MCP tool call leads to the proposal", async () => {
    const { message } = await mcp(ground.agent, "tools/call", { name: "svc_create_entity", arguments: note })
    await followed(message.result?.structuredContent as unknown as Asked)
  })

  it("the review path in the answer to an agent that asks to join a workspace leads to the proposal", async () => {
    const workspaceId = await ground.pod.aWorkspace(ground.owner, "Other")
    await followed(assertOk(await ground.agent.send("POST", "/api/hub/entities", { ...note, workspaceId })))
  })

  it("the answer to a write that became a proposal has the whole URL of the review page, even if the pod has no public address", async () => {
    const { proposalId, reviewPath, reviewUrl } = assertOk(
      await ground.agent.send("POST", "/api/hub/entities", note)
    ) as Asked
    assert.strictEqual(reviewUrl, `http://localhost${reviewPath}`)
    assertOk(await ground.owner.send("POST", `/api/hub/proposals/${proposalId}/reject`, {}))
  })

  it("the URL of the review page of a proposal keeps the path of the pod's public address, in the answer to a write and in a search", async () => {
    const pod = await aPod({ kind: "memory" }, { publicUrl: Option.some("https://pod.example.com/team") })
    const { body } = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
    const agent = await pod.aKey(pod.owner, { agentId: body.result.data.id })
    const asked = assertOk(await agent.send("POST", "/api/hub/entities", note))
    assert.strictEqual(asked.reviewUrl, `https://pod.example.com/team${asked.reviewPath}`)
    const { pending } = assertOk(await pod.owner.send("POST", "/api/hub/knowledge/search", { query: "plan" }))
    assert.deepStrictEqual(
      pending.matches.map(({ reviewPath, reviewUrl }: Asked) => [reviewPath, reviewUrl]),
      [[asked.reviewPath, asked.reviewUrl]]
    )
    await pod.stop()
  })

  it("a search that is limited to a project finds only the waiting proposals about records in this project", async () => {
    const { agent, owner, workspaceId } = ground
    const project = async (name: string) =>
      assertOk(await owner.send("POST", "/api/hub/projects", { name, workspaceId })).id as string
    const [ours, other] = [await project("Ours"), await project("Other")]
    const proposed = async (projectId: string | undefined) => {
      const draft = { ...note, title: "Sandbank", workspaceId, projectId }
      const { id } = assertOk(await owner.send("POST", "/api/hub/entities", draft))
      return assertOk(await agent.send("PATCH", `/api/hub/entities/${id}`, { description: "sandbank" }))
        .proposalId as string
    }
    const inOurs = await proposed(ours)
    const [inOther, inNone] = [await proposed(other), await proposed(undefined)]
    const found = async (body: object) => {
      const query = { query: "sandbank", ...body }
      const { pending } = assertOk(await owner.send("POST", "/api/hub/knowledge/search", query))
      const matches = (pending?.matches ?? []) as ReadonlyArray<Asked>
      for (const { reviewPath, reviewUrl } of matches) assert.strictEqual(reviewUrl, `http://localhost${reviewPath}`)
      return matches.map(({ proposalId }) => proposalId)
    }
    assert.deepStrictEqual(await found({ projectId: uuidv7() }), [])
    assert.deepStrictEqual(await found({ projectId: ours }), [inOurs])
    assert.sameMembers(await found({}), [inOurs, inOther, inNone])
  })
})
