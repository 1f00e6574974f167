/** The local operator may decide over the admin socket on the same proposals as the owner of the pod over the network. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aColleague } from "../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { database } from "../support/storages.ts"
import { assertOk, procedureData } from "./attackScene.ts"

describe("the operator decides on a proposal of another person's agent", () => {
  let pod: TestPod
  let workspaceId: string
  let agent: Caller
  beforeAll(async () => {
    pod = await aPod(database, {}, { hasSocket: true })
    workspaceId = await pod.aWorkspace(pod.owner)
    const colleague = await aColleague(pod, database, workspaceId, "admin", "colleague")
    await pod.aWorkspace(colleague) // The access of the colleague now has another number (epoch) than that of the owner.
    const draft = { name: "Scribe", capabilities: ["*"] }
    const agentId = procedureData(await colleague.mutate("agents.create", draft)).id as string
    assertOk(await colleague.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId }))
    agent = await pod.aKey(colleague, { agentId })
  })
  afterAll(() => pod?.stop())

  /** Returns a note of the owner, and a proposal of the colleague's agent to change its title. */
  const aProposal = async (title: string) => {
    const draft = { workspaceId, title, profileSlug: "note", forceCreate: true }
    const { id } = assertOk(await pod.owner.send("POST", "/api/hub/entities", draft))
    const { proposalId } = assertOk(await agent.send("PATCH", `/api/hub/entities/${id}`, { title: `${title} changed` }))
    return { id: id as string, proposalId: proposalId as string }
  }

  it("the local operator can approve and revert a proposal of another person's agent over the admin socket", async () => {
    const { id, proposalId } = await aProposal("Quay")
    const operator = pod.operator!
    const titleNow = async () => assertOk(await pod.owner.send("GET", `/api/hub/entities/${id}`)).title as string
    assertOk(await operator.send("POST", `/api/hub/proposals/${proposalId}/approve`, {}))
    assert.strictEqual(await titleNow(), "Quay changed")
    assertOk(await operator.send("POST", `/api/hub/proposals/${proposalId}/revert`, {}))
    assert.strictEqual(await titleNow(), "Quay")
  })

  it("the local operator can read and edit a proposal of another person's agent over the admin socket", async () => {
    const { proposalId } = await aProposal("Pier")
    const operator = pod.operator!
    assertOk(await operator.send("GET", `/api/hub/proposals/${proposalId}`))
    assertOk(await operator.send("PATCH", `/api/hub/proposals/${proposalId}`, { data: { title: "Pier 2" } }))
  })
})
