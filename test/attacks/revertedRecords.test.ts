/**
 * A revert is a write of the person who reverts. The rules of the record type apply to a revert as to any other write.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aColleague } from "../support/membership.ts"
import type { Caller } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { anAttackScene, type AttackScene, assertOk, assertRefused, createRecord } from "./attackScene.ts"

onOneStorage("reverting an approved proposal", (storage) => {
  let scene: AttackScene
  let workspaceId: string
  let colleague: Caller
  let helper: Caller
  beforeAll(async () => {
    scene = await anAttackScene(storage)
    const { agentId, owner, pod } = scene
    workspaceId = await pod.aWorkspace(owner, "Reverted")
    colleague = await aColleague(pod, storage, workspaceId, "admin", "reverter")
    await owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId })
    helper = scene.agent
  }, 60_000)
  afterAll(() => scene?.pod.stop())

  const revert = (proposalId: string, caller: Caller = scene.owner) =>
    caller.send("POST", `/api/hub/proposals/${proposalId}/revert`, {})
  /** Lets the agent propose a write, and approves the proposal as the owner. Returns the id of the proposal. */
  const approved = async (method: string, path: string, body?: object): Promise<string> => {
    const asked = assertOk(await helper.send(method, `/api/hub/${path}`, body))
    assert.strictEqual(asked.status, "proposed", JSON.stringify(asked))
    assertOk(await scene.owner.send("POST", `/api/hub/proposals/${asked.proposalId}/approve`, {}))
    return asked.proposalId
  }
  const aRule = async (): Promise<string> => {
    const draft = {
      intent: "Tell me of tasks",
      scope: { kind: "workspace", workspaceId },
      sentence: { when: "a task is created", then: "notify me" }
    }
    return assertOk(await scene.owner.send("POST", "/api/hub/rules", draft)).ruleId
  }
  const statusOf = async (id: string) => {
    const { rules } = assertOk(await scene.owner.send("GET", `/api/hub/rules?limit=100&workspaceId=${workspaceId}`))
    return rules.find((rule: { readonly id: string }) => rule.id === id)?.status
  }

  it("attack: a member of a workspace cannot resume another person's automation rule by reverting the pause of the rule, but the person who made the rule can", async () => {
    const id = await aRule()
    const proposalId = await approved("PATCH", `rules/${id}`, { active: false })
    assertRefused(await revert(proposalId, colleague), 403, "OWNER_ONLY")
    assert.strictEqual(await statusOf(id), "paused")
    assertOk(await revert(proposalId))
    assert.strictEqual(await statusOf(id), "active")
  })

  it("attack: after a revert has restored a deleted automation rule, the rule is paused, and a member of the workspace who does not own the rule cannot resume it", async () => {
    const id = await aRule()
    const proposalId = await approved("DELETE", `rules/${id}`)
    assertOk(await revert(proposalId, colleague))
    assert.strictEqual(await statusOf(id), "paused")
    assertRefused(await colleague.send("PATCH", `/api/hub/rules/${id}`, { active: true }), 403, "OWNER_ONLY")
  })

  it("reverting an approval does not delete a profile (a kind of entity) on which another profile depends", async () => {
    const proposalId = await approved("POST", "profiles", { workspaceId, slug: "gadget", displayName: "Gadget" })
    const profiles = assertOk(await scene.owner.send("GET", `/api/hub/profiles?workspaceId=${workspaceId}`))
    const { id: parentProfileId } = profiles.find(({ slug }: { readonly slug: string }) => slug === "gadget")
    const child = { workspaceId, slug: "gizmo", displayName: "Gizmo", parentProfileId }
    const { id } = await createRecord(scene.owner, "profiles", child)
    assertRefused(await revert(proposalId), 409, "PROFILE_IN_USE")
    assertOk(await scene.owner.send("DELETE", `/api/hub/profiles/${id}`))
    assertOk(await revert(proposalId))
  })

  it("reverting an approval does not delete a thread that has messages", async () => {
    const asked = assertOk(await helper.send("POST", "/api/hub/threads", { workspaceId, title: "Plans" }))
    assertOk(await scene.owner.send("POST", `/api/hub/proposals/${asked.proposalId}/approve`, {}))
    const messages = `/api/hub/threads/${asked.proposedId}/messages`
    assertOk(await scene.owner.send("POST", messages, { role: "user", content: "Kept" }))
    assertRefused(await revert(asked.proposalId), 409, "REVERT_CONFLICT")
    assert.lengthOf(assertOk(await scene.owner.send("GET", messages)), 1)
  })

  it("if a person states a memory fact again after an approval, a revert of the approval does not forget this fact", async () => {
    const data = { facts: [{ content: "Cows are red." }] }
    const { proposalId } = assertOk(
      await helper.send("POST", "/api/hub/proposals", { targetType: "memory", proposalType: "create", data })
    )
    assertOk(await scene.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {}))
    assertOk(await scene.owner.send("POST", "/api/hub/memory", { fact: "Cows are red." }))
    assertRefused(await revert(proposalId), 409, "REVERT_CONFLICT")
    const [fact] = assertOk(await scene.owner.send("GET", "/api/hub/memory?q=cows"))
    assert.deepInclude(fact, { fact: "Cows are red.", count: 2 })
  })

  it("a proposal of two memory facts with the same id is refused, because only one of them could be stored", async () => {
    const id = "0199a0c0-0000-7000-8000-000000000001"
    const facts = [
      { id, content: "Hens are blue." },
      { id, content: "Dogs like tea." }
    ]
    const asked = { targetType: "memory", proposalType: "create", data: { facts } }
    assertRefused(await helper.send("POST", "/api/hub/proposals", asked), 400)
  })

  it("attack: a proposal that would share a private record is private, so that no other member of the workspace can read about the record before the approval", async () => {
    const draft = { workspaceId, scope: "user", name: "Secret", description: "Hidden", prompt: "Do it." }
    const { id } = await createRecord(scene.owner, "skills", draft)
    const asked = assertOk(await helper.send("PATCH", `/api/hub/skills/${id}`, { scope: "workspace" }))
    assert.strictEqual(asked.status, "proposed")
    assertRefused(await colleague.send("GET", `/api/hub/proposals/${asked.proposalId}`), 404)
  })
})
