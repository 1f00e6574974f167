/**
 * How workspaces are created, over REST, on each storage: by one request, in steps, by repeated requests, and for
 * agents.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const fromDefinition = "/api/hub/workspaces/from-definition"
const provisionAgent = "/api/hub/workspaces/provision-agent"

for (const [where, storage] of storages) {
  describe(`creating a workspace ${where}`, () => {
    let pod: TestPod
    let other: Caller & { readonly id: string }
    let agents = 0
    beforeAll(async () => {
      pod = await aPod(storage)
      other = await pod.aPerson()
    })
    afterAll(() => pod?.stop())

    const anAgent = async (person: Caller = pod.owner, capabilities: ReadonlyArray<string> = ["*"]) => {
      const { body } = await person.mutate("agents.create", { name: `Agent ${++agents}`, capabilities })
      const id: string = body.result.data.id
      return { id, key: await pod.aKey(person, { agentId: id }) }
    }
    const workspace = async (id: string, caller: Caller = pod.owner) =>
      (await caller.send("GET", `/api/hub/workspaces/${id}`)).body
    const count = async (caller: Caller = pod.owner) =>
      (await caller.send("GET", "/api/hub/workspaces")).body.workspaces.length

    it("attack: a request to create a workspace for another person's agent, or with another person as owner, is refused", async () => {
      const { id, key } = await anAgent()
      const before = await count(other)
      const theirs = await other.send("POST", provisionAgent, { agentUserId: id })
      const missing = await other.send("POST", provisionAgent, { agentUserId: uuidv7() })
      assert.deepStrictEqual([theirs.status, missing.status], [403, 403])
      assert.strictEqual(theirs.body.error, missing.body.error)
      const sibling = await anAgent()
      assert.strictEqual((await sibling.key.send("POST", provisionAgent, { agentUserId: id })).status, 403)
      assert.strictEqual((await key.send("POST", provisionAgent, { agentUserId: pod.ownerId })).status, 400)
      const owned = await other.send("POST", fromDefinition, { ownerUserId: pod.ownerId })
      assert.strictEqual(owned.status, 403)
      assert.strictEqual(await count(other), before)
    })

    it("a key with a limited grant, or an agent without the needed capability, cannot create a workspace", async () => {
      const id = await pod.aWorkspace(pod.owner)
      const agent = await anAgent()
      for (const grant of [
        { permissions: ["*"], workspaceIds: [id] },
        { permissions: ["*"], projectIds: [uuidv7()] },
        { permissions: ["*"], entityIds: [uuidv7()] },
        { permissions: ["entity", "member"] }
      ]) {
        const key = await pod.aKey(pod.owner, { grant })
        for (const [path, body] of [
          [fromDefinition, {}],
          [provisionAgent, { agentUserId: agent.id }]
        ] as const) {
          const refused = await key.send("POST", path, body)
          assert.deepStrictEqual([refused.status, refused.body.code], [403, "GRANT_DENIED"], JSON.stringify(grant))
        }
      }
      const reader = await anAgent(pod.owner, ["entity"])
      const refused = await reader.key.send("POST", fromDefinition, {})
      assert.deepStrictEqual([refused.status, refused.body.code], [403, "CAPABILITY_MISSING"])
    })

    it("a workspace definition with an invalid profile is refused and creates nothing", async () => {
      const before = await count()
      for (const profiles of [[{ slug: "Upper", displayName: "x" }], [{ slug: "x" }], "profiles"]) {
        assert.strictEqual((await pod.owner.send("POST", fromDefinition, { profiles })).status, 400)
      }
      assert.strictEqual(await count(), before)
    })

    it("a workspace that a person creates is ready at once and belongs to that person, and a second request with the same `proposalId` returns this workspace", async () => {
      const { body, status } = await pod.owner.send("POST", fromDefinition, {
        workspaceName: "Research",
        proposalId: "p1",
        workspaceType: "project"
      })
      assert.deepStrictEqual([status, body.created], [200, true])
      const made = await workspace(body.workspaceId)
      assert.deepInclude(made, {
        name: "Research",
        role: "owner",
        provisioningStatus: "ready",
        workspaceType: "project"
      })
      assert.notProperty(made, "failedStep")
      const again = await pod.owner.send("POST", fromDefinition, { workspaceName: "Other", proposalId: "p1" })
      assert.deepStrictEqual(again.body, { workspaceId: body.workspaceId, created: false })
    })

    it("when an agent asks for a workspace, the pod makes a proposal, and a person can revert the approved proposal if the new workspace has not been used", async () => {
      const { id, key } = await anAgent()
      const before = await count()
      const asked = await key.send("POST", fromDefinition, { workspaceName: "Wanted", proposalId: "wanted" })
      assert.deepStrictEqual([asked.status, asked.body.status], [200, "proposed"], JSON.stringify(asked.body))
      assert.isNull(asked.body.effectiveWorkspaceId)
      const repeated = await key.send("POST", fromDefinition, { workspaceName: "Wanted", proposalId: "wanted" })
      assert.strictEqual(repeated.body.proposalId, asked.body.proposalId)
      const nameless = () => key.send("POST", fromDefinition, { workspaceName: "Wanted" })
      assert.notStrictEqual((await nameless()).body.proposalId, (await nameless()).body.proposalId)
      assert.strictEqual(await count(), before)
      const path = `/api/hub/proposals/${asked.body.proposalId}`
      const approved = await pod.owner.send("POST", `${path}/approve`, {})
      assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
      const made = await workspace(asked.body.proposedId)
      assert.deepInclude(made, { name: "Wanted", role: "owner", provisioningStatus: "ready" })
      // The pod has cached nothing for a new key. With the old key, the store in memory would not notice that the
      // access has changed.
      const fresh = await pod.aKey(pod.owner, { agentId: id })
      const again = await fresh.send("POST", fromDefinition, { proposalId: "wanted" })
      assert.deepStrictEqual(again.body, { workspaceId: made.id, created: false })
      const reverted = await pod.owner.send("POST", `${path}/revert`)
      assert.strictEqual(reverted.status, 200, JSON.stringify(reverted.body))
      assert.strictEqual(await count(), before)
      assert.strictEqual((await pod.owner.send("GET", `/api/hub/workspaces/${made.id}`)).status, 403)
    })

    it("if a person created a workspace with a proposal id and then left it, another request of this person with this proposal id fails and creates nothing", async () => {
      const wish = { workspaceName: "Left", proposalId: "left" }
      const { workspaceId } = (await other.send("POST", fromDefinition, wish)).body
      await aColleague(pod, storage, workspaceId, "owner", "stays")
      const left = await other.send("DELETE", `/api/hub/workspaces/${workspaceId}/members/${other.id}`)
      assert.strictEqual(left.status, 200, JSON.stringify(left.body))
      const before = await count(other)
      const again = await other.send("POST", fromDefinition, wish)
      assert.deepStrictEqual([again.status, again.body.code], [409, "KEY_TAKEN"], JSON.stringify(again.body))
      assert.include(again.body.error, "you left it")
      assert.strictEqual(await count(other), before)
      const fresh = await other.send("POST", fromDefinition, { ...wish, proposalId: "left-2" })
      assert.isTrue(fresh.body.created, JSON.stringify(fresh.body))
    })

    it("the approval of a new workspace cannot be reverted after somebody has written in the workspace", async () => {
      const { key } = await anAgent()
      const asked = await key.send("POST", fromDefinition, { workspaceName: "Used" })
      const path = `/api/hub/proposals/${asked.body.proposalId}`
      await pod.owner.send("POST", `${path}/approve`, {})
      const workspaceId = asked.body.proposedId
      await workspace(workspaceId)
      const note = await pod.owner.send("POST", "/api/hub/entities", { title: "Kept", workspaceId })
      assert.strictEqual(note.status, 200)
      const reverted = await pod.owner.send("POST", `${path}/revert`)
      assert.deepStrictEqual([reverted.status, reverted.body.code], [409, "WORKSPACE_IN_USE"])
      assert.strictEqual((await pod.owner.send("GET", `/api/hub/entities/${note.body.id}`)).status, 200)
    })

    it("an agent's own workspace belongs to the person who owns the agent, and a repeated request for it gets the existing workspace", async () => {
      const { id } = await anAgent()
      const { body } = await pod.owner.send("POST", provisionAgent, { agentUserId: id })
      assert.isTrue(body.created)
      const made = await workspace(body.workspaceId)
      assert.deepInclude(made, { workspaceType: "agent", role: "owner", provisioningStatus: "ready" })
      assert.strictEqual(made.name, `Agent ${agents} Knowledge Base`)
      const roles = made.members.map(({ role, userId }: { role: string; userId: string }) => [userId, role])
      assert.sameDeepMembers(roles, [
        [pod.ownerId, "owner"],
        [id, "editor"]
      ])
      const again = await pod.owner.send("POST", provisionAgent, { agentUserId: id, workspaceName: "Other" })
      assert.deepStrictEqual(again.body, { workspaceId: body.workspaceId, created: false })
      const named = { agentUserId: id, workspaceName: "Second", idempotencyKey: `second ${id}` }
      assert.isTrue((await pod.owner.send("POST", provisionAgent, named)).body.created)
      const reused = { agentUserId: (await anAgent()).id, idempotencyKey: `second ${id}` }
      assert.strictEqual((await pod.owner.send("POST", provisionAgent, reused)).status, 409)
    })

    it("many concurrent requests for one agent's workspace create one workspace", async () => {
      const { id } = await anAgent()
      const before = await count()
      const asks = ["a", "b", "c", "d"].map(() => pod.owner.send("POST", provisionAgent, { agentUserId: id }))
      const answers = await Promise.all(asks)
      assert.lengthOf([...new Set(answers.map(({ body }) => body.workspaceId))], 1, JSON.stringify(answers))
      assert.lengthOf(
        answers.filter(({ body }) => body.created),
        1
      )
      assert.strictEqual(await count(), before + 1)
    })

    it("an agent can ask for its own workspace, and becomes a member of this workspace when a person approves the request", async () => {
      const { id, key } = await anAgent()
      const asked = await key.send("POST", provisionAgent, { agentUserId: id, workspaceName: "Mine" })
      assert.strictEqual(asked.body.status, "proposed", JSON.stringify(asked.body))
      const path = `/api/hub/proposals/${asked.body.proposalId}`
      const repeated = await key.send("POST", provisionAgent, { agentUserId: id, workspaceName: "Mine" })
      assert.strictEqual(repeated.body.proposalId, asked.body.proposalId)
      const stranger = await anAgent(other)
      const { data } = (await pod.owner.send("GET", path)).body
      const edited = { ...data.data, agentUserId: stranger.id }
      assert.strictEqual((await pod.owner.send("PATCH", path, { data: edited })).status, 400)
      const approved = await pod.owner.send("POST", `${path}/approve`, {})
      assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
      const made = await workspace(asked.body.proposedId)
      assert.deepInclude(made, { name: "Mine", provisioningStatus: "ready" })
      assert.isTrue(made.members.some(({ userId }: { userId: string }) => userId === id))
      const fresh = await pod.aKey(pod.owner, { agentId: id })
      const again = await fresh.send("POST", provisionAgent, { agentUserId: id })
      assert.deepStrictEqual(again.body, { workspaceId: made.id, created: false })
    })

    // The test is skipped in memory, because the store of policies in memory does not know with which policy a
    // workspace was created.
    const inSql = storage.kind === "memory" ? it.skip : it
    inSql(
      "in its own workspace an agent can create entities without approval but cannot delete them, and a person can end this permission",
      async () => {
        const { id, key } = await anAgent()
        const { workspaceId } = (await pod.owner.send("POST", provisionAgent, { agentUserId: id })).body
        const wrote = await key.send("POST", "/api/hub/entities", { title: "Mine", workspaceId })
        assert.strictEqual(wrote.body.status, "created", JSON.stringify(wrote.body))
        const deletes = await key.send("DELETE", `/api/hub/entities/${wrote.body.id}`)
        assert.strictEqual(deletes.body.status, "proposed")
        await workspace(workspaceId)
        const governance = `/api/hub/workspaces/${workspaceId}/governance`
        const policy = (await pod.owner.send("GET", governance)).body
        assert.deepInclude(policy, { governanceMode: "standard", linkedAgentId: id })
        assert.include(policy.autoApproveFor, "entity.create")
        await pod.owner.mutate("governance.setPolicy", { workspaceId, autoApproveFor: [] })
        await pod.owner.send("POST", provisionAgent, { agentUserId: id })
        assert.deepStrictEqual((await pod.owner.send("GET", governance)).body.autoApproveFor, [])
      }
    )

    it("a new workspace has the profiles of its definition as soon as it is ready", async () => {
      const profiles = [{ slug: `kind${agents}`, displayName: "A kind" }]
      const { body } = await pod.owner.send("POST", fromDefinition, { profiles, workspaceName: "Kinds" })
      assert.strictEqual((await workspace(body.workspaceId)).provisioningStatus, "ready")
      if (storage.kind === "memory") return
      const made = { profileSlug: profiles[0].slug, properties: {}, title: "One", workspaceId: body.workspaceId }
      assert.strictEqual((await pod.owner.send("POST", "/api/hub/entities", made)).status, 200)
    })
  })
}
