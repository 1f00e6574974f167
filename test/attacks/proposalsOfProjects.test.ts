/**
 * A key whose grant is limited to projects may see and approve a proposal only if the record of the proposal is now in
 * one of these projects.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
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
  describe(`attack: a proposal affects a project outside the grant of the key that made the proposal, ${where}`, () => {
    let ground: AttackScene
    let first: string
    let second: string
    const keys = {} as Record<"agentsFirst" | "agentsBoth" | "first" | "second", Caller>
    beforeAll(async () => {
      ground = await anAttackScene(storage)
      const { agentId, owner, pod } = ground
      first = (await createRecord(owner, "projects", { name: "First quay" })).id
      second = (await createRecord(owner, "projects", { name: "Second roof" })).id
      const grantFor = (...projectIds: ReadonlyArray<string>) => ({ permissions: ["*"], projectIds })
      keys.agentsFirst = await pod.aKey(owner, { agentId, grant: grantFor(first) })
      keys.agentsBoth = await pod.aKey(owner, { agentId, grant: grantFor(first, second) })
      keys.first = await pod.aKey(owner, { grant: grantFor(first) })
      keys.second = await pod.aKey(owner, { grant: grantFor(second) })
    })
    afterAll(() => ground?.pod.stop())

    const seen = async (id: string) => assertOk(await ground.owner.send("GET", `${path}/${id}`))
    const approve = async (id: string, by: Caller = ground.owner) =>
      by.send("POST", `${path}/${id}/approve`, { contentHash: (await seen(id)).contentHash })
    const filed = async (...projects: ReadonlyArray<string>) => {
      const { id } = await anEntity(ground.owner, { title: "Filed" })
      for (const project of projects) {
        assertOk(await ground.owner.send("POST", `/api/hub/projects/${project}/entities`, { entityIds: [id] }))
      }
      return id
    }
    const takeOut = async (id: string, project: string) =>
      assertOk(await ground.owner.send("DELETE", `/api/hub/projects/${project}/entities/${id}`))
    const title = async (id: string) => assertOk(await ground.owner.send("GET", `/api/hub/entities/${id}`)).title
    const tellsOf = async (by: Caller, id: string) => {
      const { proposals, total } = assertOk(await by.send("GET", `${path}?status=all&limit=200`))
      assert.strictEqual(total, proposals.length)
      return JSON.stringify(proposals).includes(id)
    }

    it("an agent cannot edit a proposal so that the proposal affects a project outside the grant of the agent's key", async () => {
      const asked = { title: "In the first", projectId: first }
      const waiting = assertProposed(await keys.agentsFirst.send("POST", "/api/hub/entities", asked))
      const { data: shown } = await seen(waiting)
      const elsewhere = { data: { ...shown.data, projectId: second } }
      assertRefused(await keys.agentsFirst.send("PATCH", `${path}/${waiting}`, elsewhere), 403)
      const { projectId: _none, ...unfiled } = shown.data
      assertRefused(await keys.agentsFirst.send("PATCH", `${path}/${waiting}`, { data: unfiled }), 403)
      const { primaryId } = assertOk(await approve(waiting))
      const { sourceEntityId, targetEntityId } = assertOk(
        await ground.owner.send("GET", `/api/hub/relations?entityId=${primaryId}`)
      )[0] ?? { sourceEntityId: primaryId, targetEntityId: first }
      assert.deepStrictEqual([sourceEntityId, targetEntityId], [primaryId, first])
    })

    it("if a person moves an agent's proposal to a project that the agent's key does not cover, the pod does not apply the proposal", async () => {
      const asked = { title: "Moved by a person", projectId: first }
      const waiting = assertProposed(await keys.agentsFirst.send("POST", "/api/hub/entities", asked))
      const { data: shown } = await seen(waiting)
      assertOk(await ground.owner.send("PATCH", `${path}/${waiting}`, { data: { ...shown.data, projectId: second } }))
      assertRefused(await approve(waiting), 409, "AUTHORITY_GONE")
    })

    it("if a key for one project proposes a change of a record and the record is removed from this project, the pod no longer applies the proposal", async () => {
      const id = await filed(first)
      const waiting = assertProposed(
        await keys.agentsFirst.send("PATCH", `/api/hub/entities/${id}`, { title: "Too late" })
      )
      await takeOut(id, first)
      assertRefused(await approve(waiting), 409, "AUTHORITY_GONE")
      assert.strictEqual(await title(id), "Filed")
    })

    it("if somebody moves a proposed facet (a role) to an entity that the agent's key may not change, the pod does not add the facet to this entity", async () => {
      const { agentId, owner, pod } = ground
      const role = { slug: "mentor", displayName: "Mentor", profileKind: "role", applicableKinds: ["note", "task"] }
      assertOk(await owner.send("POST", "/api/hub/profiles", role))
      const note = await anEntity(owner, { title: "A note" })
      const task = await anEntity(owner, { title: "A task", profileSlug: "task" })
      const grant = { permissions: ["facet", "entity.read", "entity.note.update", "proposal"] }
      const notes = await pod.aKey(owner, { agentId, grant })
      assertRefused(await notes.send("POST", `/api/hub/entities/${task.id}/facets`, { slug: "mentor" }), 403)
      const waiting = assertProposed(
        await notes.send("POST", `/api/hub/entities/${note.id}/facets`, { slug: "mentor" })
      )
      const { data: shown } = await seen(waiting)
      const elsewhere = { data: { ...shown.data, entityId: task.id } }
      assertRefused(await notes.send("PATCH", `${path}/${waiting}`, elsewhere), 403)
      // A person may change the proposal so that it is about the task. The approval then fails, because the key may not
      // change the task.
      assertOk(await owner.send("PATCH", `${path}/${waiting}`, elsewhere))
      assertRefused(await approve(waiting), 409, "AUTHORITY_GONE")
      assert.deepStrictEqual(assertOk(await owner.send("GET", `/api/hub/entities/${task.id}/facets`)), [])
    })

    it("a key for one project does not see a proposal about a record in another project, even if an agent made the proposal with a key for both projects", async () => {
      const id = await filed(first)
      const waiting = assertProposed(
        await keys.agentsBoth.send("PATCH", `/api/hub/entities/${id}`, { title: "Secret" })
      )
      assert.isTrue(await tellsOf(keys.first, waiting))
      assert.isFalse(await tellsOf(keys.second, waiting))
      assertRefused(await keys.second.send("GET", `${path}/${waiting}`), 404)
      assertRefused(await keys.second.send("GET", `${path}/${waiting.slice(0, 30)}`), 404)
      assertRefused(await keys.second.send("PATCH", `${path}/${waiting}`, { data: { title: "Mine" } }), 404)
      assertRefused(await keys.second.send("POST", `${path}/${waiting}/reject`, {}), 404)
      assertRefused(await keys.second.send("POST", `${path}/${waiting}/approve`, {}), 404)
      assertRefused(await keys.second.mutate("proposals.reject", { proposalId: waiting }), 404)
      assert.strictEqual((await seen(waiting)).status, "pending")
    })

    it("a key for a project cannot see a proposal about a record that was removed from the project, and cannot decide on it", async () => {
      const id = await filed(first)
      const waiting = assertProposed(await ground.agent.send("PATCH", `/api/hub/entities/${id}`, { title: "Next" }))
      assert.isTrue(await tellsOf(keys.first, waiting))
      await takeOut(id, first)
      assertOk(await ground.owner.send("POST", `/api/hub/projects/${second}/entities`, { entityIds: [id] }))
      assert.isFalse(await tellsOf(keys.first, waiting))
      assertRefused(await keys.first.send("GET", `${path}/${waiting}`), 404)
      assertRefused(await keys.first.send("POST", `${path}/${waiting}/reject`, {}), 404)
      assertRefused(await keys.first.send("POST", `${path}/${waiting}/approve`, {}), 404)
      assert.isTrue(await tellsOf(keys.second, waiting))
      assertOk(await approve(waiting, keys.second))
      assert.strictEqual(await title(id), "Next")
    })

    it("a person can approve an entity that an agent proposes in a project, even if the key of the agent may write only entities and not projects", async () => {
      const { owner, pod } = ground
      const little = { name: "Little", capabilities: ["entity.note"] }
      const agentId = procedureData(await owner.mutate("agents.create", little)).id as string
      const grant = { permissions: ["entity.note", "proposal"], projectIds: [first] }
      const key = await pod.aKey(owner, { agentId, grant })
      const waiting = assertProposed(
        await key.send("POST", "/api/hub/entities", { title: "Made there", projectId: first })
      )
      const { primaryId } = assertOk(await approve(waiting))
      assert.strictEqual(assertOk(await keys.first.send("GET", `/api/hub/entities/${primaryId}`)).title, "Made there")
      const filedByHand = { title: "By hand", profileSlug: "note", projectId: first }
      const draft = { targetType: "entity", proposalType: "create", data: filedByHand }
      assertOk(await approve(assertOk(await key.send("POST", path, draft)).proposalId))
    })

    it("if an agent proposes an entity in a project, both the owner of the agent and a key for this project can approve the proposal", async () => {
      for (const by of [ground.owner, keys.first]) {
        const asked = { title: "Made there", projectId: first }
        const waiting = assertProposed(await keys.agentsFirst.send("POST", "/api/hub/entities", asked))
        const { primaryId } = assertOk(await approve(waiting, by))
        assert.strictEqual(assertOk(await keys.first.send("GET", `/api/hub/entities/${primaryId}`)).title, "Made there")
        assertRefused(await keys.second.send("GET", `/api/hub/entities/${primaryId}`), 404)
      }
    })
  })
}
