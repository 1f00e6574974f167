/**
 * After an edit, a proposal still shows what the person is asked to approve. The proposal also stays within the rights
 * of the caller that made it.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aColleague } from "../support/membership.ts"
import type { Caller } from "../support/pod.ts"
import { storages } from "../support/storages.ts"
import {
  anAttackScene,
  anEntity,
  procedureData,
  type AttackScene,
  createRecord,
  assertOk,
  assertProposed,
  assertRefused
} from "./attackScene.ts"

const path = "/api/hub/proposals"

for (const [where, storage] of storages) {
  describe(`attack: an agent edits its own pending proposal, ${where}`, () => {
    let ground: AttackScene
    let colleague: Caller
    beforeAll(async () => {
      ground = await anAttackScene(storage)
      colleague = await aColleague(ground.pod, storage, ground.workspaceId, "editor", "colleague")
    })
    afterAll(() => ground?.pod.stop())

    const seen = async (id: string, by: Caller = ground.owner) => assertOk(await by.send("GET", `${path}/${id}`))
    const edit = (by: Caller, id: string, content: object, more: object = {}) =>
      by.send("PATCH", `${path}/${id}`, { data: content, ...more })
    const approve = async (id: string, by: Caller = ground.owner) => {
      const { contentHash } = await seen(id, by)
      return by.send("POST", `${path}/${id}/approve`, { contentHash })
    }
    const entity = async (id: string) => assertOk(await ground.owner.send("GET", `/api/hub/entities/${id}`))
    const change = async (by: Caller, id: string, fields: object) =>
      assertProposed(await by.send("PATCH", `/api/hub/entities/${id}`, fields))

    it("if an agent edits a proposal that conflicts with a later write by a person, the conflict remains, and the approval does not overwrite that write", async () => {
      const { agent, owner } = ground
      const { id } = await anEntity(owner, { title: "As it was" })
      const waiting = await change(agent, id, { title: "By the agent" })
      assertOk(await owner.send("PATCH", `/api/hub/entities/${id}`, { title: "By a person" }))
      assertOk(await edit(agent, waiting, { title: "By the agent" }))
      const { conflicts } = await seen(waiting)
      assert.deepStrictEqual(conflicts[0]?.path, ["title"])
      assertRefused(await approve(waiting), 409, "PROPOSAL_CONFLICT")
      assert.strictEqual((await entity(id)).title, "By a person")
    })

    it("an agent cannot edit a proposal with a conflict if the agent can no longer read the record of the proposal, and the conflict remains", async () => {
      const { agentId, owner, pod } = ground
      const { id } = await anEntity(owner, { title: "As it was" })
      const project = await createRecord(owner, "projects", { name: "Lost to the agent" })
      assertOk(await owner.send("POST", `/api/hub/projects/${project.id}/entities`, { entityIds: [id] }))
      const narrow = await pod.aKey(owner, { agentId, grant: { permissions: ["*"], projectIds: [project.id] } })
      const waiting = await change(narrow, id, { title: "By the agent" })
      assertOk(await owner.send("PATCH", `/api/hub/entities/${id}`, { title: "By a person" }))
      assertOk(await owner.send("DELETE", `/api/hub/projects/${project.id}/entities/${id}`))
      assertRefused(await edit(narrow, waiting, { title: "By the agent" }), 404)
      assert.deepStrictEqual((await seen(waiting)).conflicts[0]?.path, ["title"])
      assertRefused(await approve(waiting), 409)
      assert.strictEqual((await entity(id)).title, "By a person")
    })

    it("if an agent edits its proposal to change a workspace so that the proposal makes data public, the new summary says that data becomes public", async () => {
      const { agent, owner, workspaceId } = ground
      const waiting = assertProposed(
        await agent.send("PATCH", `/api/hub/workspaces/${workspaceId}`, { description: "A better description" })
      )
      const before = await seen(waiting)
      const projection = { enabled: true, roles: ["note"], fields: ["title"] }
      const answer = await edit(agent, waiting, { publicProjection: projection })
      assertOk(answer)
      const after = await seen(waiting)
      assert.notStrictEqual(after.summary, before.summary)
      assert.match(after.summary, /public/i)
      assertOk(await owner.send("POST", `${path}/${waiting}/reject`, {}))
    })

    it("if an agent edits its proposal of a workspace so that the workspace is for the agent, the key needs more permissions than `workspace.create`, and the summary changes", async () => {
      const { agent, agentId, owner, pod } = ground
      const narrow = await pod.aKey(owner, {
        agentId,
        grant: { permissions: ["workspace.create", "workspace.read", "proposal"] }
      })
      for (const [by, isAllowed] of [
        [agent, true],
        [narrow, false]
      ] as const) {
        const waiting = assertProposed(
          await by.send("POST", "/api/hub/workspaces/from-definition", { workspaceName: `Of ${by.id}` })
        )
        const { data: shown, summary } = await seen(waiting)
        const answer = await edit(by, waiting, { ...shown.data, agentUserId: agentId })
        if (isAllowed) {
          assertOk(answer)
          assert.notStrictEqual((await seen(waiting)).summary, summary)
        } else assertRefused(answer, 403)
        assertOk(await owner.send("POST", `${path}/${waiting}/reject`, {}))
      }
    })

    it("an agent that edits its request to join a workspace cannot ask for the role `admin`, and the request stays as it was", async () => {
      const { agentId, owner, pod } = ground
      const fresh = await pod.aWorkspace(owner, "To be let into")
      const key = await pod.aKey(owner, { agentId })
      const waiting = assertProposed(await key.send("POST", "/api/hub/entities", { title: "x", workspaceId: fresh }))
      const { data: shown, proposalType, summary } = await seen(waiting)
      assert.strictEqual(proposalType, "join")
      assertRefused(await edit(key, waiting, { ...shown.data, role: "admin" }), 400)
      assert.strictEqual((await seen(waiting)).summary, summary)
    })

    it("an agent cannot write the summary of its proposal, so a proposed delete is never shown as a corrected typing error", async () => {
      const { agent, owner } = ground
      const { id } = await anEntity(owner, { title: "To be deleted" })
      const waiting = assertProposed(await agent.send("DELETE", `/api/hub/entities/${id}`))
      const { summary } = await seen(waiting)
      assertRefused(await edit(agent, waiting, {}, { summary: "Fix a typo" }), 400)
      assert.strictEqual((await seen(waiting)).summary, summary)
      assertOk(await edit(owner, waiting, {}, { summary: "Away with it" }))
      assert.strictEqual((await seen(waiting)).summary, "Away with it")
    })

    it("when an agent changes the kind of a proposed entity, the summary shows the new kind, and the approval creates an entity of this kind", async () => {
      const { agent, owner } = ground
      const asked = { title: "Of some kind", profileSlug: "note" }
      const waiting = assertProposed(await agent.send("POST", "/api/hub/entities", asked))
      const { data: shown } = await seen(waiting)
      assertOk(await edit(agent, waiting, { ...shown.data, profileSlug: "task" }))
      assert.match((await seen(waiting)).summary, /task/)
      const { primaryId } = assertOk(await approve(waiting))
      assert.strictEqual((await entity(primaryId)).profileSlug, "task")
      assert.strictEqual(
        assertOk(await owner.send("GET", `/api/hub/entities?profileSlug=task&limit=1`))[0].id,
        primaryId
      )
    })

    it("an agent cannot change a proposed entity to a kind outside the grant of its key", async () => {
      const { agentId, owner, pod } = ground
      const notes = await pod.aKey(owner, { agentId, grant: { permissions: ["entity.note", "proposal"] } })
      const waiting = assertProposed(
        await notes.send("POST", "/api/hub/entities", { title: "A note", profileSlug: "note" })
      )
      const { data: shown } = await seen(waiting)
      assertRefused(await edit(notes, waiting, { ...shown.data, profileSlug: "task" }), 403)
      assert.strictEqual((await seen(waiting)).data.data.profileSlug, "note")
    })

    it("if an agent's key may not write documents, the agent cannot add a text to a proposed entity, and the proposal does not change", async () => {
      const { agentId, owner, pod } = ground
      const entities = await pod.aKey(owner, { agentId, grant: { permissions: ["entity", "proposal"] } })
      const waiting = assertProposed(await entities.send("POST", "/api/hub/entities", { title: "Without a text" }))
      const { data: shown } = await seen(waiting)
      assertRefused(await edit(entities, waiting, { ...shown.data, content: "a text" }), 403)
      const after = await seen(waiting)
      assert.notProperty(after.data.data, "content")
      assert.strictEqual(after.revision, 1)
    })

    it("if an edit makes a proposal private, only the person who owns the agent of the proposal can read the proposal and decide on it", async () => {
      const { agent, owner, workspaceId } = ground
      const asked = { name: "Summarise", sharing: "space", workspaceId }
      const waiting = assertProposed(await agent.send("POST", "/api/hub/commands", asked))
      const { data: shown } = await seen(waiting)
      await seen(waiting, colleague)
      assertOk(await edit(owner, waiting, { ...shown.data, sharing: "user" }))
      await seen(waiting)
      assertRefused(await colleague.send("GET", `${path}/${waiting}`), 404)
      assertRefused(await edit(colleague, waiting, shown.data), 404)
      assertRefused(await colleague.send("POST", `${path}/${waiting}/approve`, {}), 404)
      assertRefused(await colleague.send("POST", `${path}/${waiting}/reject`, {}), 404)
      const { proposals } = assertOk(await colleague.send("GET", `${path}?workspaceId=${workspaceId}`))
      assert.notInclude(JSON.stringify(proposals), waiting)
      // The person who owns the agent can still approve the private proposal.
      const { primaryId } = assertOk(await approve(waiting))
      assertOk(await owner.send("GET", `/api/hub/commands/${primaryId}`))
      assertRefused(await colleague.send("GET", `/api/hub/commands/${primaryId}`), 404)
    })

    it("an agent cannot edit another agent's proposal, and a key of an agent can edit a proposal of this agent only if the key could have made the proposal", async () => {
      const { agent, agentId, owner, pod } = ground
      const other = procedureData(await owner.mutate("agents.create", { name: "Another", capabilities: ["*"] }))
        .id as string
      const { id } = await anEntity(owner, { profileSlug: "task" })
      const waiting = await change(agent, id, { title: "Mine" })
      assertRefused(
        await edit(await pod.aKey(owner, { agentId: other }), waiting, { title: "Not mine" }),
        403,
        "PEOPLE_ONLY"
      )
      const grant = { permissions: ["entity.read", "entity.note", "proposal"] }
      assertRefused(await edit(await pod.aKey(owner, { agentId, grant }), waiting, { title: "Not so" }), 403)
      assert.strictEqual((await seen(waiting)).data.data.title, "Mine")
    })
  })
}
