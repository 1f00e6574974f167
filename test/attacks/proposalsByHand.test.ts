/**
 * If the pod would refuse a direct write, it also refuses a proposal for this write. The pod checks each part of a
 * proposal as if it were a separate record.
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
  proposalCount,
  assertRefused
} from "./attackScene.ts"

const path = "/api/hub/proposals"

for (const [where, storage] of storages) {
  describe(`attack: an agent proposes a write that the pod would refuse as a direct write, ${where}`, () => {
    let ground: AttackScene
    beforeAll(async () => {
      ground = await anAttackScene(storage)
    })
    afterAll(() => ground?.pod.stop())

    const file = (by: Caller, targetType: string, proposalType: string, content: object, more: object = {}) =>
      by.send("POST", path, { targetType, proposalType, data: content, ...more })
    const agentsKey = (grant: object) => ground.pod.aKey(ground.owner, { agentId: ground.agentId, grant })

    it("a proposal that adds a facet (a role) to something that is not the id of an entity is refused as invalid input", async () => {
      const before = await proposalCount(ground.owner)
      for (const entityId of ["no id", 5, { id: 5 }]) {
        assertRefused(await file(ground.agent, "facet", "create", { entityId, slug: "mentor", properties: {} }), 400)
      }
      assert.strictEqual(await proposalCount(ground.owner), before)
    })

    it("if a key may not change an entity, the pod refuses both a direct write and a proposal that adds a facet (a role) to the entity", async () => {
      const { agent, owner } = ground
      const role = { slug: "mentor", displayName: "Mentor", profileKind: "role", applicableKinds: ["note", "task"] }
      assertOk(await owner.send("POST", "/api/hub/profiles", role))
      const task = await anEntity(owner, { title: "A task", profileSlug: "task" })
      const played = assertOk(await owner.send("POST", `/api/hub/entities/${task.id}/facets`, { slug: "mentor" }))
      const another = await anEntity(owner, { title: "Another task", profileSlug: "task" })
      const grant = { permissions: ["facet", "entity.read", "entity.note.update", "proposal"] }
      const notes = await agentsKey(grant)
      const before = await proposalCount(owner)
      assertRefused(await notes.send("POST", `/api/hub/entities/${another.id}/facets`, { slug: "mentor" }), 403)
      assertRefused(await notes.send("DELETE", `/api/hub/entities/${task.id}/facets/mentor`), 403)
      const content = { entityId: another.id, slug: "mentor", properties: {} }
      assertRefused(await file(notes, "facet", "create", content), 403)
      assertRefused(await file(notes, "facet", "delete", {}, { targetId: played.id }), 403)
      assert.strictEqual(await proposalCount(owner), before)
      // A key that may change the entity may file the proposal.
      assertOk(await file(agent, "facet", "create", content))
    })

    it("if a key covers only one of the two entities of a relation, the pod refuses both a direct write of the relation and a proposal for it", async () => {
      const { owner } = ground
      const [one, other] = [await anEntity(owner, { title: "One" }), await anEntity(owner, { title: "Other" })]
      const limited = await agentsKey({ permissions: ["*"], entityIds: [one.id] })
      const before = await proposalCount(owner)
      for (const [sourceEntityId, targetEntityId] of [
        [one.id, other.id],
        [other.id, one.id]
      ]) {
        const link = { sourceEntityId, targetEntityId, type: "relates_to" }
        const direct = await limited.send("POST", "/api/hub/relations", link)
        const byHand = await file(limited, "relation", "create", { ...link, metadata: {} })
        assert.include([403, 404], direct.status)
        assert.include([400, 403, 404], byHand.status, JSON.stringify(byHand.body))
      }
      // The grant of this key names single objects, so the key may not create a relation, not even between these
      // objects. The pod refuses both the direct write and the proposal.
      const both = await agentsKey({ permissions: ["*"], entityIds: [one.id, other.id] })
      const link = { sourceEntityId: one.id, targetEntityId: other.id, type: "relates_to" }
      assertRefused(await both.send("POST", "/api/hub/relations", link), 403, "GRANT_DENIED")
      assertRefused(await file(both, "relation", "create", { ...link, metadata: {} }), 403, "GRANT_DENIED")
      assert.strictEqual(await proposalCount(owner), before)
    })

    it("an agent must give the ids of entities as evidence both when it proposes a new project and when it creates a project directly", async () => {
      const { agent, owner } = ground
      const fields = { name: "Shown by nothing", description: null, status: "active", settings: {}, metadata: {} }
      const before = await proposalCount(owner)
      assertRefused(await agent.send("POST", "/api/hub/projects", { name: fields.name }), 400)
      assertRefused(await file(agent, "project", "create", fields), 400)
      assertRefused(await file(agent, "project", "create", { ...fields, evidenceEntityIds: [] }), 400)
      assert.strictEqual(await proposalCount(owner), before)
      const shown = await Promise.all([1, 2, 3, 4, 5].map((at) => anEntity(owner, { title: `Shows it ${at}` })))
      const evidenceEntityIds = shown.map(({ id }) => id)
      assertOk(await file(agent, "project", "create", { ...fields, name: "Shown by five", evidenceEntityIds }))
    })

    it("an agent can neither create nor propose a workspace for another agent", async () => {
      const { agent, agentId, owner, victim } = ground
      const other = procedureData(await owner.mutate("agents.create", { name: "Another", capabilities: ["*"] }))
        .id as string
      const theirs = procedureData(await victim.mutate("agents.create", { name: "Theirs", capabilities: ["*"] }))
        .id as string
      const wish = {
        name: "For an agent",
        workspaceType: "agent",
        templateId: null,
        proposalId: null,
        provisionKey: null
      }
      const before = await proposalCount(owner)
      for (const agentUserId of [other, theirs]) {
        const direct = await agent.send("POST", "/api/hub/workspaces/provision-agent", { agentUserId })
        const byHand = await file(agent, "workspace", "create", { ...wish, definition: {}, agentUserId })
        assert.include([400, 403], direct.status, JSON.stringify(direct.body))
        assert.include([400, 403], byHand.status, JSON.stringify(byHand.body))
      }
      assert.strictEqual(await proposalCount(owner), before)
      assertOk(await file(agent, "workspace", "create", { ...wish, definition: {}, agentUserId: agentId }))
    })

    it("a key that creates or proposes a workspace with profiles, or a workspace for an agent, needs more permissions than `workspace.create`", async () => {
      const { agentId, owner, pod } = ground
      const permissions = ["workspace.create", "workspace.read", "proposal"]
      const persons = await pod.aKey(owner, { grant: { permissions } })
      const agents = await agentsKey({ permissions })
      const before = await proposalCount(owner)
      const count = assertOk(await owner.send("GET", "/api/hub/workspaces")).workspaces.length
      const withProfiles = { workspaceName: "With kinds", profiles: [{ slug: "boat", displayName: "Boat" }] }
      for (const by of [persons, agents]) {
        assertRefused(await by.send("POST", "/api/hub/workspaces/from-definition", withProfiles), 403)
        assertRefused(await by.send("POST", "/api/hub/workspaces/provision-agent", { agentUserId: agentId }), 403)
      }
      const kinds = { ...withProfiles, workspaceName: undefined }
      const wish = { name: "By hand", workspaceType: null, templateId: null, proposalId: null, provisionKey: null }
      for (const besides of [
        { agentUserId: null, definition: kinds },
        { agentUserId: agentId, definition: {} }
      ]) {
        assertRefused(await file(agents, "workspace", "create", { ...wish, ...besides }), 403)
      }
      assert.strictEqual(await proposalCount(owner), before)
      assert.strictEqual(assertOk(await owner.send("GET", "/api/hub/workspaces")).workspaces.length, count)
      // The same key can create a workspace if the request defines no profiles, members or policies.
      assertOk(await persons.send("POST", "/api/hub/workspaces/from-definition", { workspaceName: "Plain" }))
    })
  })

  describe(`attack: a new record refers to another record, ${where}`, () => {
    let ground: AttackScene
    const nobodys = "0190a0a0-0000-7000-8000-00000000dead"
    beforeAll(async () => {
      ground = await anAttackScene(storage)
    })
    afterAll(() => ground?.pod.stop())

    it("a new record may refer only to records that the caller can read in the same workspace or personal space, and the pod refuses all other ids with the same answer", async () => {
      const { agent, owner, pod, victim, workspaceId } = ground
      const shared = await pod.aWorkspace(owner, "Another of ours")
      const project = async (by: Caller, name: string, more: object = {}) =>
        (await createRecord(by, "projects", { name, ...more })).id
      const own = await project(owner, "Of the workspace", { workspaceId })
      const elsewhere = await project(owner, "Of another workspace", { workspaceId: shared })
      const privates = await project(owner, "Of nobody else")
      const theirs = await project(victim, "Secret of the victim")
      const ownEntity = (await anEntity(owner, { title: "Here", workspaceId })).id
      const elsewhereEntity = (await anEntity(owner, { title: "Elsewhere", workspaceId: shared })).id
      const theirEntity = (await anEntity(victim, { title: "Secret entity" })).id
      const profile = (by: Caller, slug: string, more: object) =>
        by.send("POST", "/api/hub/profiles", { slug, displayName: slug, ...more })
      const elsewhereProfile = assertOk(await profile(owner, "barge", { workspaceId: shared })).id
      const theirProfile = assertOk(await profile(victim, "yacht", {})).id

      const projects = [elsewhere, privates, theirs, nobodys]
      const entities = [elsewhereEntity, theirEntity, nobodys]
      const profiles = [elsewhereProfile, theirProfile, nobodys]
      const cases: ReadonlyArray<
        readonly [at: string, field: string, bad: ReadonlyArray<string>, good: string | null, rest: object]
      > = [
        ["entities", "projectId", projects, own, { title: "Named" }],
        ["documents", "projectId", projects, own, { title: "Named", content: "x" }],
        ["documents", "entityId", entities, ownEntity, { title: "Named", content: "x" }],
        ["tracks", "projectId", projects, own, { name: "Named" }],
        ["brands", "projectIds", projects, own, { name: "Named" }],
        ["views", "profileId", profiles, null, { name: "Named", type: "list" }],
        ["entities", "profileId", profiles, null, { title: "Named" }]
      ]
      for (const by of [owner, agent]) {
        for (const [at, field, bad, good, rest] of cases) {
          const value = (id: string) => (field === "projectIds" ? [id] : id)
          const answers = new Set<string>()
          for (const id of bad) {
            const answer = await by.send("POST", `/api/hub/${at}`, { ...rest, [field]: value(id), workspaceId })
            assert.include([400, 403, 404], answer.status, `${at} ${field} ${JSON.stringify(answer.body)}`)
            const { decisionId: _id, requestId: _request, ...refusal } = answer.body
            answers.add(JSON.stringify([answer.status, refusal]).replaceAll(id, ""))
          }
          // All these ids get the same answer, so the answer does not show which records exist.
          assert.strictEqual(answers.size, 1, `${at} ${field} ${[...answers].join(" ")}`)
          if (good !== null) {
            assertOk(await by.send("POST", `/api/hub/${at}`, { ...rest, [field]: value(good), workspaceId }))
          }
        }
      }
      assert.strictEqual(assertOk(await victim.send("GET", `/api/hub/projects/${theirs}/outputs`)).outputs.length, 0)
    })

    it("a changed reference may refer only to records that the caller can read in the same workspace or personal space, both in an update and in an edited proposal", async () => {
      const { agent, owner, victim } = ground
      const theirs = (await createRecord(victim, "projects", { name: "Another secret" })).id
      const document = await createRecord(owner, "documents", { title: "Mine", content: "x" })
      const track = await createRecord(owner, "tracks", { name: "Mine" })
      for (const projectId of [theirs, nobodys]) {
        for (const by of [owner, agent]) {
          for (const at of [`documents/${document.id}`, `tracks/${track.id}`]) {
            const { body, status } = await by.send("PATCH", `/api/hub/${at}`, { projectId })
            assert.include([400, 403, 404, 405], status, `${at} ${JSON.stringify(body)}`)
          }
        }
      }
      const waiting = assertOk(await agent.send("POST", "/api/hub/tracks", { name: "Waits" })).proposalId
      const { data: shown } = assertOk(await owner.send("GET", `${path}/${waiting}`))
      const edited = await agent.send("PATCH", `${path}/${waiting}`, { data: { ...shown.data, projectId: theirs } })
      assert.include([400, 403, 404], edited.status, JSON.stringify(edited.body))
    })
  })
}
