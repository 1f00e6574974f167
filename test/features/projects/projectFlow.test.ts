/**
 * Projects end to end, over REST and MCP, on each storage: what is refused, which entities are in a project, and what
 * the digest shows.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { mcp } from "../../doors/surfaces.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const hub = "/api/hub"
const ids = (found: ReadonlyArray<{ readonly id: string }>) => found.map(({ id }) => id)

for (const [where, storage] of storages) {
  describe(`projects ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let agent: Caller
    /** Makes a workspace and then reads once, so that the pod looks up the owner's access again. */
    const aSpace = async (name = "Workspace") => {
      const id = await pod.aWorkspace(pod.owner, name)
      await pod.owner.send("GET", `${hub}/workspaces`)
      return id
    }
    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await aSpace("Acme")
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      const agentUserId = made.body.result.data.id
      agent = await pod.aKey(pod.owner, { agentId: agentUserId })
      await pod.owner.send("POST", `${hub}/workspaces/enroll-agent`, { agentUserId, workspaceId })
    })
    afterAll(() => pod?.stop())

    const an = async (title: string, more: object = {}) => {
      const draft = { profileSlug: "note", title, workspaceId, ...more }
      const { body, status } = await pod.owner.send("POST", `${hub}/entities`, draft)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.id as string
    }
    const aProject = async (name: string, more: object = {}) => {
      const { body, status } = await pod.owner.send("POST", `${hub}/projects`, { name, workspaceId, ...more })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.id as string
    }
    const get = (path: string, caller: Caller = pod.owner) => caller.send("GET", `${hub}${path}`)

    describe("refused requests for projects", () => {
      it("a person does not see the projects of other people, and a request for such a project gets the same 404 as for a missing project", async () => {
        const id = await aProject("Lighthouse")
        const other = await pod.aPerson()
        assert.deepStrictEqual((await get("/projects", other)).body, [])
        for (const path of ["", "/digest", "/outputs"]) {
          const foreign = await get(`/projects/${id}${path}`, other)
          const missing = await get(`/projects/${uuidv7()}${path}`, other)
          assert.deepStrictEqual([foreign.status, foreign.body], [404, missing.body])
          assert.strictEqual((await get(`/projects/no-uuid${path}`, other)).status, 400)
        }
        const filed = await other.send("POST", `${hub}/projects/${id}/entities`, { entityIds: [uuidv7()] })
        assert.strictEqual(filed.status, 404)
      })

      it("a key without permission for projects sees no project, and a key for one workspace sees only the projects of that workspace", async () => {
        const id = await aProject("Pier")
        const blind = await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"] } })
        assert.deepStrictEqual((await get("/projects", blind)).body, [])
        assert.strictEqual((await get(`/projects/${id}`, blind)).status, 404)
        const elsewhere = await aSpace()
        const bound = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [elsewhere] } })
        assert.deepStrictEqual((await get("/projects", bound)).body, [])
        assert.strictEqual((await get(`/projects?workspaceId=${workspaceId}`, bound)).status, 403)
      })

      it("a key that puts an entity in a project needs the permission for relations too", async () => {
        const [id, entityId] = [await aProject("Quay"), await an("Bollard")]
        const file = (caller: Caller) =>
          caller.send("POST", `${hub}/projects/${id}/entities`, { entityIds: [entityId] })
        const without = await pod.aKey(pod.owner, { grant: { permissions: ["project", "entity"] } })
        const refused = await file(without)
        assert.deepStrictEqual([refused.status, refused.body.code], [403, "GRANT_DENIED"])
        const linker = { permissions: ["project", "entity", "relation.create"] }
        const limited = await pod.aKey(pod.owner, { grant: { ...linker, entityIds: [id, uuidv7()] } })
        assert.strictEqual((await file(limited)).status, 404)
        assert.strictEqual((await file(await pod.aKey(pod.owner, { grant: linker }))).status, 200)
        const out = await (
          await pod.aKey(pod.owner, { grant: linker })
        ).send("DELETE", `${hub}/projects/${id}/entities/${entityId}`)
        assert.strictEqual(out.status, 404, "a key that may not delete relations finds no relation to delete")
      })

      it("an agent without the capability for projects cannot create a project, and no caller can create a project in the name of another person", async () => {
        const made = await pod.owner.mutate("agents.create", { name: "Reader", capabilities: ["entity"] })
        const reader = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
        const evidenceEntityIds: Array<string> = []
        for (const title of ["a", "b", "c", "d", "e"]) evidenceEntityIds.push(await an(title))
        const refused = await reader.send("POST", `${hub}/projects`, { name: "Mole", workspaceId, evidenceEntityIds })
        assert.deepStrictEqual([refused.status, refused.body.code], [403, "CAPABILITY_MISSING"])
        const named = await pod.owner.send("POST", `${hub}/projects`, { name: "Mole", userId: uuidv7() })
        assert.deepStrictEqual([named.status, named.body.code], [403, "IDENTITY_FORBIDDEN"])
      })
    })

    it("unless `forceCreate` is true, the pod refuses a project name that is similar to an existing project name, and the answer lists the similar projects", async () => {
      const id = await aProject("Harbour extension")
      const asked = { name: "The harbour extenson", workspaceId }
      const refused = await pod.owner.send("POST", `${hub}/projects`, asked)
      assert.deepStrictEqual([refused.status, refused.body.code], [409, "SAME_NAME"])
      assert.deepStrictEqual(ids(refused.body.details.candidates), [id])
      assert.isNull(refused.headers.get("x-svc-next-cursor"))
      // A project with a similar name does not block the new project if the caller may not read the similar project.
      const blind = await pod.aKey(pod.owner, { grant: { permissions: ["project.create"] } })
      assert.strictEqual((await blind.send("POST", `${hub}/projects`, asked)).status, 200)
      const forced = await pod.owner.send("POST", `${hub}/projects`, { ...asked, forceCreate: true })
      assert.strictEqual(forced.status, 200, JSON.stringify(forced.body))
    })

    it("a person can change a project, list projects by status, and archive a project", async () => {
      const id = await aProject("Slipway", { settings: { colour: "red" } })
      const changed = await pod.owner.send("PATCH", `${hub}/projects/${id}`, { status: "completed" })
      assert.deepStrictEqual([changed.body.status, changed.body.settings], ["completed", { colour: "red" }])
      assert.deepStrictEqual(ids((await get("/projects?status=completed")).body), [id])
      assert.strictEqual((await pod.owner.send("DELETE", `${hub}/projects/${id}`)).status, 200)
      assert.strictEqual((await get(`/projects/${id}`)).status, 404)
    })

    it("the pages of a project listing show each project once, newest first", async () => {
      const space = await aSpace()
      const made: Array<string> = []
      for (const name of ["Alpha", "Bravo", "Charlie", "Delta", "Echo"]) {
        made.push(await aProject(name, { workspaceId: space }))
      }
      const found: Array<string> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const page = await get(`/projects?workspaceId=${space}&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`)
        found.push(...ids(page.body))
        cursor = page.headers.get("x-svc-next-cursor")
      }
      assert.deepStrictEqual(found, made.toReversed())
    })

    it("an entity that is created in a project belongs to this project, and the digest of the project counts the entities that the caller may read", async () => {
      const id = await aProject("Breakwater")
      const first = await an("Stones", { projectId: id })
      const second = await an("Order stones", { projectId: id, profileSlug: "task" })
      // A request for a new entity may contain only a project of the same space. An entity of another space must be put
      // in the project afterwards.
      const elsewhere = await pod.owner.send("POST", `${hub}/entities`, { title: "Idea", projectId: id })
      assert.strictEqual(elsewhere.status, 400, JSON.stringify(elsewhere.body))
      const own = await an("Idea", { workspaceId: null })
      const filed = await pod.owner.send("POST", `${hub}/projects/${id}/entities`, { entityIds: [own] })
      assert.strictEqual(filed.status, 200, JSON.stringify(filed.body))
      const digest = await get(`/projects/${id}/digest`)
      assert.strictEqual(digest.status, 200, JSON.stringify(digest.body))
      const { byWorkspace, counts, keyEntities, name, projectId, summary, total } = digest.body
      assert.deepStrictEqual([projectId, name, total, counts], [id, "Breakwater", 3, { note: 2, task: 1 }])
      assert.deepStrictEqual(byWorkspace, [
        { workspaceId, name: "Acme", total: 2 },
        { workspaceId: null, name: "Pod-wide", total: 1 }
      ])
      assert.deepStrictEqual(ids(keyEntities), [own, second, first])
      assert.strictEqual(summary, "Breakwater: 3 entities (2 notes, 1 task) in 1 workspace. Latest: “Idea”.")
      assert.isNull(digest.headers.get("x-svc-next-cursor"))

      const outputs = await get(`/projects/${id}/outputs?limit=2`)
      assert.deepStrictEqual(outputs.body.outputs.map(Object.keys), [
        ["type", "id", "title", "updatedAt"],
        ["type", "id", "title", "updatedAt"]
      ])
      assert.deepStrictEqual(ids(outputs.body.outputs), [own, second])

      const tasks = await pod.aKey(pod.owner, { grant: { permissions: ["project.read", "entity.task.read"] } })
      const narrow = (await get(`/projects/${id}/digest`, tasks)).body
      assert.deepStrictEqual([narrow.total, narrow.counts, ids(narrow.keyEntities)], [1, { task: 1 }, [second]])
      assert.notInclude(JSON.stringify(narrow), "Idea")
      const none = await pod.aKey(pod.owner, { grant: { permissions: ["project.read"] } })
      const empty = (await get(`/projects/${id}/digest`, none)).body
      assert.deepStrictEqual([empty.total, empty.byWorkspace], [0, []])
      assert.deepStrictEqual((await get(`/projects/${id}/outputs`, none)).body, { outputs: [] })
    })

    it("a caller can put entities in a project and remove them, and the relations of the project contain one relation to each of its entities", async () => {
      const id = await aProject("Dredging")
      const [one, two] = [await an("Mud"), await an("Sand")]
      const file = () => pod.owner.send("POST", `${hub}/projects/${id}/entities`, { entityIds: [one, two] })
      const filed = await file()
      assert.deepStrictEqual([filed.status, filed.body], [200, { projectId: id, entityIds: [one, two] }])
      assert.strictEqual((await file()).status, 200, "filing an entity twice has the effect of filing it once")
      const edges = async () => (await get(`/relations?entityId=${id}`)).body
      const shown = (await edges()).map((edge: Record<string, unknown>) => [
        edge["sourceEntityId"],
        edge["targetEntityId"],
        edge["type"],
        edge["workspaceId"]
      ])
      assert.deepStrictEqual(shown, [
        [two, id, "belongs_to_project", workspaceId],
        [one, id, "belongs_to_project", workspaceId]
      ])
      const hidden = await pod.aKey(pod.owner, { grant: { permissions: ["relation.read", "entity.read"] } })
      assert.deepStrictEqual(
        (await get(`/relations?entityId=${one}`, hidden)).body,
        [],
        "the caller may not read the project"
      )

      const out = await pod.owner.send("DELETE", `${hub}/projects/${id}/entities/${one}`)
      assert.deepStrictEqual([out.status, out.body], [200, { success: true, id: one }])
      const again = await pod.owner.send("DELETE", `${hub}/projects/${id}/entities/${one}`)
      assert.strictEqual(again.status, 404)
      const [left] = await edges()
      assert.strictEqual((await pod.owner.send("DELETE", `${hub}/relations/${left.id}`)).status, 200)
      assert.deepStrictEqual(await edges(), [])
      const relation = { sourceEntityId: one, targetEntityId: id, type: "belongs_to_project" }
      const linked = await pod.owner.send("POST", `${hub}/relations`, relation)
      assert.strictEqual(linked.status, 200, JSON.stringify(linked.body))
      assert.strictEqual((await pod.owner.send("POST", `${hub}/relations`, relation)).body.id, linked.body.id)
      assert.deepStrictEqual(ids(await edges()), [linked.body.id])
    })

    // The store of entities in memory has its own list of projects. It does not see the entities that the store of
    // relations adds to a project later.
    it.skipIf(storage.kind === "memory")(
      "an existing entity that a caller puts in a project is listed and counted like an entity that was created in the project",
      async () => {
        const id = await aProject("Ferry")
        const [one, made] = [await an("Ramp"), await an("Deck", { projectId: id })]
        const inProject = await pod.aKey(pod.owner, { grant: { permissions: ["*"], projectIds: [id] } })
        assert.deepStrictEqual(ids((await get("/entities", inProject)).body), [made])
        await pod.owner.send("POST", `${hub}/projects/${id}/entities`, { entityIds: [one] })
        assert.sameMembers(ids((await get(`/entities?projectId=${id}`)).body), [one, made])
        assert.sameMembers(ids((await get("/entities", inProject)).body), [one, made])
        assert.strictEqual((await get(`/projects/${id}/digest`)).body.total, 2)
        assert.sameMembers(
          (await get(`/relations?entityId=${id}`)).body.map((edge: Record<string, unknown>) => edge["sourceEntityId"]),
          [one, made]
        )
        await pod.owner.send("DELETE", `${hub}/projects/${id}/entities/${made}`)
        assert.deepStrictEqual(ids((await get(`/projects/${id}/outputs`)).body.outputs), [one])
      }
    )

    it("an agent that proposes a project must give at least five entities as evidence, and a person must approve the project", async () => {
      const evidence: Array<string> = []
      for (const title of ["One", "Two", "Three", "Four", "Five"]) evidence.push(await an(title))
      const ask = (evidenceEntityIds?: ReadonlyArray<string>) =>
        agent.send("POST", `${hub}/projects`, { name: "Marina", workspaceId, evidenceEntityIds })
      for (const few of [undefined, evidence.slice(1), [...evidence.slice(1), uuidv7()], Array(5).fill(evidence[0])]) {
        const refused = await ask(few)
        assert.strictEqual(refused.status, 400, JSON.stringify(refused.body))
        assert.strictEqual(refused.body.details[0].path, "evidenceEntityIds")
      }
      const asked = await ask(evidence)
      assert.strictEqual(asked.body.status, "proposed", JSON.stringify(asked.body))
      assert.include(asked.body.reasoning, evidence[4])
      assert.strictEqual((await get(`/projects/${asked.body.proposedId}`)).status, 404)
      const approved = await pod.owner.send("POST", `${hub}/proposals/${asked.body.proposalId}/approve`, {})
      assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
      const project = (await get(`/projects/${asked.body.proposedId}`)).body
      assert.deepStrictEqual([project.name, project.userId], ["Marina", pod.ownerId])
      const events = await pod.owner.query("events.list", { type: "project.create", limit: 1 })
      const [event] = events.body.result.data.events ?? events.body.result.data
      assert.strictEqual(event.subjectId, project.id)
      assert.notStrictEqual(event.actorId, pod.ownerId)
    })

    it("when an agent asks to put an entity in a project or to remove it, the change waits for a person's approval", async () => {
      const id = await aProject("Canal")
      const entityId = await an("Lock")
      const edges = async () => (await get(`/relations?entityId=${id}`)).body
      const asked = await agent.send("POST", `${hub}/projects/${id}/entities`, { entityIds: [entityId] })
      assert.strictEqual(asked.body.status, "proposed", JSON.stringify(asked.body))
      assert.deepStrictEqual(await edges(), [])
      const approve = (proposalId: string) => pod.owner.send("POST", `${hub}/proposals/${proposalId}/approve`, {})
      const approved = await approve(asked.body.proposalId)
      assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
      assert.lengthOf(await edges(), 1)
      const going = await agent.send("DELETE", `${hub}/projects/${id}/entities/${entityId}`)
      assert.strictEqual(going.body.status, "proposed", JSON.stringify(going.body))
      assert.strictEqual((await approve(going.body.proposalId)).status, 200)
      assert.deepStrictEqual(await edges(), [])
      const own = await an("Barge", { workspaceId: null })
      const elsewhere = await agent.send("POST", `${hub}/projects/${id}/entities`, { entityIds: [own] })
      assert.strictEqual(elsewhere.status, 400, "a proposal belongs to one space")
    })

    it("the MCP tools list projects and read a project with its digest", async () => {
      const id = await aProject("Weir")
      const key = await pod.aKey(pod.owner)
      const call = async (name: string, args: object) => {
        const { message } = await mcp(key, "tools/call", { name, arguments: args })
        return JSON.parse(message.result?.content[0]?.text ?? "null")
      }
      assert.include(ids((await call("svc_list_projects", { workspaceId })).projects), id)
      const { digest, project } = await call("svc_get_project", { projectId: id })
      assert.deepStrictEqual([project.name, digest.total], ["Weir", 0])
    })
  })
}
