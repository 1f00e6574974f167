/** What an agent learns about its proposal if its key may not read proposals. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mcp } from "../../doors/surfaces.ts"
import { anAttackScene, assertOk, type AttackScene } from "../../attacks/attackScene.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"

describe("a key that may not read proposals", () => {
  let ground: AttackScene
  beforeAll(async () => {
    ground = await anAttackScene({ kind: "memory" })
  })
  afterAll(() => ground?.pod.stop())

  const lacking = /lacks the permission proposal\.read/
  const draft = { title: "Plan", profileSlug: "note" }
  const keyWith = (permissions: ReadonlyArray<string>) =>
    ground.pod.aKey(ground.owner, { agentId: ground.agentId, grant: { permissions } })

  it("an agent whose key may not read proposals is refused its own proposal, and the refusal names the missing permission, over REST and MCP", async () => {
    const agent = await keyWith(["entity.note"])
    const { proposalId } = assertOk(await agent.send("POST", "/api/hub/entities", draft))
    const rest = await agent.send("GET", `/api/hub/proposals/${proposalId}`)
    assert.strictEqual(rest.status, 404)
    assert.match(rest.body.error, lacking)
    for (const name of ["svc_get_proposal", "svc_wait_for_answer"]) {
      const { message } = await mcp(agent, "tools/call", { name, arguments: { proposalId } })
      assert.match(JSON.stringify(message.result), lacking, name)
    }
  })

  it("an agent whose key may not read proposals gets the same refusal for its own proposal as for a missing proposal", async () => {
    const agent = await keyWith(["entity.note"])
    const { proposalId } = assertOk(await agent.send("POST", "/api/hub/entities", draft))
    const answerTo = async (id: string) => (await agent.send("GET", `/api/hub/proposals/${id}`)).body.error
    assert.strictEqual(await answerTo(proposalId), await answerTo(uuidv7()))
  })

  it("the answer to a write that became a proposal tells the agent not to send the write again, and names the missing permission if the key may not read proposals", async () => {
    const messageFor = async (permissions: ReadonlyArray<string>): Promise<string> =>
      assertOk(await (await keyWith(permissions)).send("POST", "/api/hub/entities", draft)).message
    const unreadable = await messageFor(["entity.note"])
    assert.match(unreadable, lacking)
    assert.match(unreadable, /Do not send the write again/)
    const readable = await messageFor(["entity.note", "proposal.read"])
    assert.notMatch(readable, lacking)
    assert.match(readable, /Do not send the write again/)
  })
})
