/** What is refused directly is refused by hand too, and what is made besides a record is judged as that record is. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Caller } from "../support/pod.ts"
import { storages } from "../support/storages.ts"
import { aGround, anEntity, data, type Ground, made, ok, proposalCount, refused } from "./ground.ts"

const path = "/api/hub/proposals"

for (const [where, storage] of storages) {
  describe(`a write filed by hand, ${where}`, () => {
    let ground: Ground
    beforeAll(async () => {
      ground = await aGround(storage)
    }, 120_000)
    afterAll(() => ground?.pod.stop())

    const file = (by: Caller, targetType: string, proposalType: string, content: object, more: object = {}) =>
      by.send("POST", path, { targetType, proposalType, data: content, ...more })
    const agentsKey = (grant: object) => ground.pod.aKey(ground.owner, { agentId: ground.agentId, grant })

    it("of a role of an entity is refused where the entity may not be changed, as it is directly", async () => {
      const { agent, owner } = ground
      const role = { slug: "mentor", displayName: "Mentor", profileKind: "role", applicableKinds: ["note", "task"] }
      ok(await owner.send("POST", "/api/hub/profiles", role))
      const task = await anEntity(owner, { title: "A task", profileSlug: "task" })
      const played = ok(await owner.send("POST", `/api/hub/entities/${task.id}/facets`, { slug: "mentor" }))
      const another = await anEntity(owner, { title: "Another task", profileSlug: "task" })
      const grant = { permissions: ["facet", "entity.read", "entity.note.update", "proposal"] }
      const notes = await agentsKey(grant)
      const before = await proposalCount(owner)
      refused(await notes.send("POST", `/api/hub/entities/${another.id}/facets`, { slug: "mentor" }), 403)
      refused(await notes.send("DELETE", `/api/hub/entities/${task.id}/facets/mentor`), 403)
      const content = { entityId: another.id, slug: "mentor", properties: {} }
      refused(await file(notes, "facet", "create", content), 403)
      refused(await file(notes, "facet", "delete", {}, { targetId: played.id }), 403)
      assert.strictEqual(await proposalCount(owner), before)
      // Whoever may change the entity files it.
      ok(await file(agent, "facet", "create", content))
    })

    it("of a link is refused to a key for one of its ends alone, as it is directly", async () => {
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
      // A link of two things that it knows could not be made for it later: it cannot wait either, whichever way it is asked.
      const both = await agentsKey({ permissions: ["*"], entityIds: [one.id, other.id] })
      const link = { sourceEntityId: one.id, targetEntityId: other.id, type: "relates_to" }
      refused(await both.send("POST", "/api/hub/relations", link), 403, "GRANT_DENIED")
      refused(await file(both, "relation", "create", { ...link, metadata: {} }), 403, "GRANT_DENIED")
      assert.strictEqual(await proposalCount(owner), before)
    })

    it("of a project says what shows that there is one, as it does directly", async () => {
      const { agent, owner } = ground
      const fields = { name: "Shown by nothing", description: null, status: "active", settings: {}, metadata: {} }
      const before = await proposalCount(owner)
      refused(await agent.send("POST", "/api/hub/projects", { name: fields.name }), 400)
      refused(await file(agent, "project", "create", fields), 400)
      refused(await file(agent, "project", "create", { ...fields, evidenceEntityIds: [] }), 400)
      assert.strictEqual(await proposalCount(owner), before)
      const shown = await Promise.all([1, 2, 3, 4, 5].map((at) => anEntity(owner, { title: `Shows it ${at}` })))
      const evidenceEntityIds = shown.map(({ id }) => id)
      ok(await file(agent, "project", "create", { ...fields, name: "Shown by five", evidenceEntityIds }))
    })

    it("of a workspace is not for another agent, as it is directly", async () => {
      const { agent, agentId, owner, victim } = ground
      const other = data(await owner.mutate("agents.create", { name: "Another", capabilities: ["*"] })).id as string
      const theirs = data(await victim.mutate("agents.create", { name: "Theirs", capabilities: ["*"] })).id as string
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
      ok(await file(agent, "workspace", "create", { ...wish, definition: {}, agentUserId: agentId }))
    })

    it("of a workspace needs what it makes besides: no key for workspaces alone makes profiles, members or policies", async () => {
      const { agentId, owner, pod } = ground
      const permissions = ["workspace.create", "workspace.read", "proposal"]
      const persons = await pod.aKey(owner, { grant: { permissions } })
      const agents = await agentsKey({ permissions })
      const before = await proposalCount(owner)
      const count = ok(await owner.send("GET", "/api/hub/workspaces")).workspaces.length
      const withProfiles = { workspaceName: "With kinds", profiles: [{ slug: "boat", displayName: "Boat" }] }
      for (const by of [persons, agents]) {
        refused(await by.send("POST", "/api/hub/workspaces/from-definition", withProfiles), 403)
        refused(await by.send("POST", "/api/hub/workspaces/provision-agent", { agentUserId: agentId }), 403)
      }
      const kinds = { ...withProfiles, workspaceName: undefined }
      const wish = { name: "By hand", workspaceType: null, templateId: null, proposalId: null, provisionKey: null }
      for (const besides of [
        { agentUserId: null, definition: kinds },
        { agentUserId: agentId, definition: {} }
      ]) {
        refused(await file(agents, "workspace", "create", { ...wish, ...besides }), 403)
      }
      assert.strictEqual(await proposalCount(owner), before)
      assert.strictEqual(ok(await owner.send("GET", "/api/hub/workspaces")).workspaces.length, count)
      // Nothing besides, and the same key makes one.
      ok(await persons.send("POST", "/api/hub/workspaces/from-definition", { workspaceName: "Plain" }))
    })
  })

  describe(`what a new record names, ${where}`, () => {
    let ground: Ground
    const nobodys = "0190a0a0-0000-7000-8000-00000000dead"
    beforeAll(async () => {
      ground = await aGround(storage)
    }, 120_000)
    afterAll(() => ground?.pod.stop())

    it("is there for whoever makes it and in its space: nobody else's, no other workspace's, and none that is not there", async () => {
      const { agent, owner, pod, victim, workspaceId } = ground
      const shared = await pod.aWorkspace(owner, "Another of ours")
      const project = async (by: Caller, name: string, more: object = {}) =>
        (await made(by, "projects", { name, ...more })).id
      const own = await project(owner, "Of the workspace", { workspaceId })
      const elsewhere = await project(owner, "Of another workspace", { workspaceId: shared })
      const privates = await project(owner, "Of nobody else")
      const theirs = await project(victim, "Secret of the victim")
      const ownEntity = (await anEntity(owner, { title: "Here", workspaceId })).id
      const elsewhereEntity = (await anEntity(owner, { title: "Elsewhere", workspaceId: shared })).id
      const theirEntity = (await anEntity(victim, { title: "Secret entity" })).id
      const profile = (by: Caller, slug: string, more: object) =>
        by.send("POST", "/api/hub/profiles", { slug, displayName: slug, ...more })
      const elsewhereProfile = ok(await profile(owner, "barge", { workspaceId: shared })).id
      const theirProfile = ok(await profile(victim, "yacht", {})).id

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
            const { decisionId: _id, ...said } = answer.body
            answers.add(JSON.stringify([answer.status, said]).replaceAll(id, ""))
          }
          // One answer for all of them: it does not tell what there is.
          assert.strictEqual(answers.size, 1, `${at} ${field} ${[...answers].join(" ")}`)
          if (good !== null) {
            ok(await by.send("POST", `/api/hub/${at}`, { ...rest, [field]: value(good), workspaceId }))
          }
        }
      }
      assert.strictEqual(ok(await victim.send("GET", `/api/hub/projects/${theirs}/outputs`)).outputs.length, 0)
    })

    it("is held to the same when it changes, and when an agent's wish is edited", async () => {
      const { agent, owner, victim } = ground
      const theirs = (await made(victim, "projects", { name: "Another secret" })).id
      const document = await made(owner, "documents", { title: "Mine", content: "x" })
      const track = await made(owner, "tracks", { name: "Mine" })
      for (const projectId of [theirs, nobodys]) {
        for (const by of [owner, agent]) {
          for (const at of [`documents/${document.id}`, `tracks/${track.id}`]) {
            const { body, status } = await by.send("PATCH", `/api/hub/${at}`, { projectId })
            assert.include([400, 403, 404, 405], status, `${at} ${JSON.stringify(body)}`)
          }
        }
      }
      const waiting = ok(await agent.send("POST", "/api/hub/tracks", { name: "Waits" })).proposalId
      const { data: shown } = ok(await owner.send("GET", `${path}/${waiting}`))
      const edited = await agent.send("PATCH", `${path}/${waiting}`, { data: { ...shown.data, projectId: theirs } })
      assert.include([400, 403, 404], edited.status, JSON.stringify(edited.body))
    })
  })
}
