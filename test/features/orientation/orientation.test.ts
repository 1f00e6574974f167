/**
 * The operation `orient`, over HTTP and MCP on each storage: who is refused, what the answer contains, and how long it
 * is.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { mcp } from "../../doors/surfaces.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const hub = "/api/hub"

for (const [where, storage] of storages) {
  describe(`the orient operation ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let projectId: string

    const made = async (path: string, body: object, caller: Caller = pod.owner) => {
      const answer = await caller.send("POST", `${hub}/${path}`, body)
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.id as string
    }
    const orient = async (query = "", caller: Caller = pod.owner) => {
      const { body, status } = await caller.send("GET", `${hub}/orient${query}`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const tool = async (caller: Caller, name: string, input: object) => {
      const { message } = await mcp(caller, "tools/call", { name, arguments: input })
      return message.result!
    }

    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner, "Harbour office")
      await pod.owner.send("GET", `${hub}/workspaces`)
      projectId = await made("projects", { name: "New quay", workspaceId })
      await made("entities", { title: "Berth plan", profileSlug: "task", workspaceId, projectId })
      await made("entities", { title: "Own thought", profileSlug: "note" })
      const agent = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      const scribe = await pod.aKey(pod.owner, { agentId: agent.body.result.data.id })
      const { body } = await scribe.send("POST", `${hub}/tracks`, { name: "Dredging", status: "active" })
      assert.strictEqual(body.status, "proposed")
    })
    afterAll(() => pod?.stop())

    it("a key that cannot read every kind of record, or that is limited to a workspace, cannot call the operation `orient`", async () => {
      for (const order of [
        { grant: { permissions: ["entity.note.read", "workspace", "project", "profile", "proposal"] } },
        { grant: { permissions: ["entity"] } },
        { grant: { permissions: ["*"], workspaceIds: [workspaceId] } },
        { workspaceId }
      ]) {
        const key = await pod.aKey(pod.owner, order)
        const { body, status } = await key.send("GET", `${hub}/orient`)
        assert.deepStrictEqual([status, body.code], [403, "GRANT_DOOR_UNSUPPORTED"])
        assert.isTrue((await tool(key, "svc_orient", {})).isError)
        // A key with full access to one workspace may read the graph of this workspace.
        const isOpen = "workspaceId" in order
        assert.strictEqual((await tool(key, "svc_get_graph", { name: "Berth plan" })).isError ?? false, !isOpen)
      }
    })

    it("the operation `orient` treats a workspace or project of other people as missing, and answers a request for an unknown list with the valid names of lists", async () => {
      const other = await pod.aPerson()
      for (const id of [workspaceId, uuidv7()]) {
        assert.strictEqual((await other.send("GET", `${hub}/orient?workspaceId=${id}`)).status, 403)
      }
      const [foreign, missing] = [
        await other.send("GET", `${hub}/orient?projectId=${projectId}`),
        await other.send("GET", `${hub}/orient?projectId=${uuidv7()}`)
      ]
      assert.deepStrictEqual([foreign.status, foreign.body], [404, missing.body])
      const { body, status } = await pod.owner.send("GET", `${hub}/orient?scope=workspaces,planets`)
      assert.strictEqual(status, 400)
      assert.include(body.error, "profiles")
    })

    it("the answer of the operation `orient` contains nothing about the records of another person", async () => {
      const answerText = JSON.stringify(await orient("?detail=full", await pod.aPerson()))
      for (const word of ["Harbour", "quay", "Berth", "thought", "Dredging", workspaceId])
        assert.notInclude(answerText, word)
    })

    it("the answer of the operation `orient` shows who the caller is, with the caller's workspaces, the latest changes and the waiting proposals", async () => {
      const { identity, leftOut, news, profiles, projects, waiting, workspaces, ...more } = await orient()
      assert.deepInclude(identity, { id: pod.ownerId, name: "Owner", agentId: null })
      assert.deepInclude(workspaces[0], { id: workspaceId, name: "Harbour office", role: "owner", entityCount: 1 })
      assert.deepStrictEqual(projects, [{ id: projectId, name: "New quay", status: "active", workspaceId }])
      const task = profiles.find(({ slug }: { readonly slug: string }) => slug === "task")
      assert.deepStrictEqual(task, { slug: "task", name: "Task", entityCount: 1 })
      assert.deepStrictEqual(
        news.map(({ title }: { readonly title: string }) => title),
        ["Own thought", "Berth plan"]
      )
      assert.lengthOf(waiting, 1)
      assert.include(waiting[0].summary, "Dredging")
      assert.deepStrictEqual([leftOut, more], [{}, {}])
      assert.isAbove((await orient("?detail=full")).onboarding.length, 2)
    })

    it("the answer of the operation `orient` can be limited to one workspace, to one project or to some of the lists", async () => {
      const titles = (map: { readonly news: ReadonlyArray<{ readonly title: string }> }) =>
        map.news.map(({ title }) => title)
      assert.deepStrictEqual(titles(await orient(`?workspaceId=${workspaceId}`)), ["Berth plan"])
      assert.deepStrictEqual(titles(await orient(`?projectId=${projectId}`)), ["Berth plan"])
      assert.hasAllKeys(await orient("?scope=workspaces,%20projects"), [
        "identity",
        "leftOut",
        "projects",
        "workspaces"
      ])
    })

    it("the short answer of the operation `orient` stays below 4 kB, however many records exist, and says how many records it leaves out", async () => {
      const busy = await pod.aPerson()
      for (let at = 0; at < 25; at += 1) {
        await made("projects", { name: `${at} ${"é".repeat(240)}`, forceCreate: true }, busy)
        await made("entities", { title: `${at} ${"ж".repeat(400)}`, profileSlug: "note" }, busy)
      }
      const map = await orient("", busy)
      assert.isAtMost(Buffer.byteLength(JSON.stringify(map)), 4096)
      assert.isAbove(map.projects.length, 1)
      assert.isAbove(map.news.length, 1)
      assert.strictEqual(map.projects.length + map.leftOut.projects, 25)
      assert.isAbove(Buffer.byteLength(JSON.stringify(await orient("?detail=full", busy))), 4096)
      const key = await pod.aKey(busy)
      const { structuredContent } = await tool(key, "svc_orient", { detail: "full", budget: 500 })
      assert.isAtMost(JSON.stringify(structuredContent).length, 2000)
      assert.property(structuredContent, "leftOut")
    })

    it("the graph tool finds an object by name, lists the candidates if several objects match, and keeps its answer within the requested size", async () => {
      const key = await pod.aKey(pod.owner)
      const hubId = await made("entities", { title: "Quay hub", profileSlug: "note", workspaceId })
      for (let at = 0; at < 20; at += 1) {
        const title = `${at} ${"long ".repeat(60)}`
        const entityId = await made("entities", { title, profileSlug: "note", workspaceId })
        await made("relations", { sourceEntityId: hubId, targetEntityId: entityId, type: "mentions" })
      }
      const { structuredContent: graph } = await tool(key, "svc_get_graph", { name: "quay HUB", budget: 500 })
      const answer = graph as { readonly neighbors: ReadonlyArray<object>; readonly leftOut: { neighbors: number } }
      assert.deepInclude(graph, { found: true })
      assert.isAtMost(JSON.stringify(graph).length, 2000)
      assert.strictEqual(answer.neighbors.length + answer.leftOut.neighbors, 20)
      await made("entities", { title: "Quay hub", profileSlug: "task", workspaceId })
      const twice = (await tool(key, "svc_get_graph", { name: "Quay hub" })).structuredContent as {
        readonly found: boolean
        readonly candidates: ReadonlyArray<object>
      }
      assert.deepStrictEqual([twice.found, twice.candidates.length], [false, 2])
      const hidden = await tool(await pod.aKey(await pod.aPerson()), "svc_get_graph", { id: hubId })
      assert.deepInclude(hidden.structuredContent, { found: false, neighbors: [] })
      assert.deepInclude((await tool(key, "svc_get_graph", {})).structuredContent, { found: false })
    })
  })
}
