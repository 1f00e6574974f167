/**
 * Channels and threads on a whole pod: who may create them, where a thread may be, and how callers find a thread by its
 * id in another system.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const nowhere = "0190a0a0-0000-7000-8000-00000000dead"
const idsOf = (body: ReadonlyArray<{ readonly id: string }>) => body.map(({ id }) => id)

for (const [where, storage] of storages) {
  describe(`channels and threads ${where}`, () => {
    let pod: TestPod
    let stranger: Caller & { readonly id: string }
    let agent: Caller
    let agentId: string
    let strangersAgentId: string
    let workspaceId: string
    let foreignId: string

    beforeAll(async () => {
      pod = await aPod(storage)
      stranger = await pod.aPerson()
      workspaceId = await pod.aWorkspace(pod.owner)
      foreignId = await pod.aWorkspace(stranger)
      const capabilities = ["channel.create", "channel.update", "channel.delete"]
      agentId = (await pod.owner.mutate("agents.create", { name: "Scribe", capabilities })).body.result.data.id
      agent = await pod.aKey(pod.owner, { agentId })
      strangersAgentId = (await stranger.mutate("agents.create", { name: "Other" })).body.result.data.id
    })
    afterAll(() => pod?.stop())

    const made = async (caller: Caller, path: string, body: unknown) => {
      const answer = await caller.send("POST", `/api/hub${path}`, body)
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    }
    const refused = async (status: number, caller: Caller, method: string, path: string, body?: unknown) => {
      const answer = await caller.send(method, `/api/hub${path}`, body)
      assert.strictEqual(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const approve = (proposalId: string) => pod.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})
    const file = (data: unknown, change: string, targetId?: string, targetType = "thread") =>
      agent.send("POST", "/api/hub/proposals", { targetType, targetId, proposalType: change, data })

    it("channels and threads cannot be created or listed in a workspace of another person, or in a workspace to which the key has no access", async () => {
      const bound = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
      for (const path of ["/channels", "/threads"]) {
        for (const elsewhere of [foreignId, nowhere]) {
          await refused(403, pod.owner, "POST", path, { workspaceId: elsewhere })
          await refused(403, pod.owner, "GET", `${path}?workspaceId=${elsewhere}`)
          await refused(403, bound, "POST", path, { workspaceId: elsewhere })
        }
        await refused(403, bound, "POST", path, {})
        await made(bound, path, { workspaceId })
      }
    })

    it("a request with any HTTP method for a channel or thread of another person gets the same 404 as for a missing channel or thread", async () => {
      const channel = await made(stranger, "/channels", { title: "Theirs" })
      const thread = await made(stranger, "/threads", { title: "Theirs" })
      const ways = [
        ["GET", `/channels/`, "", channel.id],
        ["PATCH", `/channels/`, "", channel.id],
        ["DELETE", `/channels/`, "", channel.id],
        ["GET", `/threads/`, "", thread.id],
        ["PATCH", `/threads/`, "", thread.id],
        ["GET", `/threads/`, "/branches", thread.id],
        ["GET", `/threads/`, "/messages", thread.id],
        ["POST", `/threads/`, "/messages", thread.id]
      ] as const
      for (const [method, before, after, id] of ways) {
        const body =
          method === "PATCH" ? { title: "Mine" } : method === "POST" ? { role: "user", content: "Hello?" } : undefined
        const there = await refused(404, pod.owner, method, `${before}${id}${after}`, body)
        assert.deepStrictEqual(await refused(404, pod.owner, method, `${before}${nowhere}${after}`, body), there)
      }
      assert.strictEqual((await stranger.send("GET", `/api/hub/threads/${thread.id}`)).body.title, "Theirs")
    })

    it("the pod refuses a channel or thread whose fields name another person as its user, or an agent of another person as its agent", async () => {
      for (const path of ["/channels", "/threads"]) {
        await refused(403, pod.owner, "POST", path, { userId: stranger.id })
        for (const other of [strangersAgentId, nowhere, stranger.id, pod.ownerId]) {
          await refused(403, pod.owner, "POST", path, { agentId: other })
        }
        const { id } = await made(pod.owner, path, { userId: pod.ownerId, agentId })
        await refused(403, pod.owner, "PATCH", `${path}/${id}`, { agentId: strangersAgentId })
        const kept = (await pod.owner.send("GET", `/api/hub${path}/${id}`)).body
        assert.strictEqual(path === "/threads" ? kept.assignedAgentId : kept.agentId, agentId)
      }
    })

    it("an agent without the capability for conversations cannot create a channel or thread", async () => {
      const mute = await pod.owner.mutate("agents.create", { name: "Mute" })
      const key = await pod.aKey(pod.owner, { agentId: mute.body.result.data.id })
      for (const path of ["/channels", "/threads"]) await refused(403, key, "POST", path, {})
    })

    it("a viewer of a workspace can read its threads but cannot create or change them", async () => {
      const viewer = await aColleague(pod, storage, workspaceId, "viewer", "viewer")
      const { id } = await made(pod.owner, "/threads", { workspaceId, title: "Seen" })
      await refused(403, viewer, "POST", "/threads", { workspaceId })
      await refused(403, viewer, "PATCH", `/threads/${id}`, { title: "Mine" })
      assert.strictEqual((await viewer.send("GET", `/api/hub/threads/${id}`)).body.title, "Seen")
    })

    it("a new thread can be placed only in a channel or thread that is in the same space and that the creator of the new thread may read", async () => {
      const foreign = await made(stranger, "/channels", {})
      const elsewhere = await made(pod.owner, "/channels", { workspaceId })
      const own = await made(pod.owner, "/channels", {})
      for (const parentChannelId of [foreign.id, elsewhere.id, nowhere]) {
        const { error } = await refused(400, pod.owner, "POST", "/threads", { parentChannelId })
        assert.include(error, "parentChannelId")
      }
      await refused(400, pod.owner, "POST", "/threads", { workspaceId, parentChannelId: own.id })
      const thread = await made(pod.owner, "/threads", { parentChannelId: own.id })
      const filed = await file({ parentChannelId: elsewhere.id }, "update", thread.id)
      assert.strictEqual(filed.status, 400, JSON.stringify(filed.body))
    })

    it("a new thread with only one of the two parts of an external key, the source or the id, is refused", async () => {
      for (const half of [{ externalSource: "chat" }, { externalId: "1" }]) {
        await refused(400, pod.owner, "POST", "/threads", half)
      }
    })

    it("an external key belongs to one thread in a space, and every reader of that thread finds the thread by the key", async () => {
      const key = { externalSource: "chat", externalId: "C1/7" }
      const first = await made(pod.owner, "/threads", { ...key, title: "First" })
      assert.notProperty(first, "reused")
      assert.deepStrictEqual(await made(pod.owner, "/threads", { ...key, title: "Again" }), {
        id: first.id,
        title: "First",
        reused: true
      })
      const inWorkspace = await made(pod.owner, "/threads", { ...key, workspaceId })
      assert.deepStrictEqual(Object.keys(inWorkspace), ["id"])
      assert.notStrictEqual(inWorkspace.id, first.id)
      assert.notStrictEqual((await made(stranger, "/threads", key)).id, first.id)
      const colleague = await aColleague(pod, storage, workspaceId, "editor", "editor")
      const found = await made(colleague, "/threads", { ...key, workspaceId })
      assert.deepStrictEqual(found, { id: inWorkspace.id, reused: true })
    })

    it("many concurrent requests with one external key get the same thread as their answer", async () => {
      const draft = { externalSource: "chat", externalId: "at once" }
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          pod.owner.send(
            "POST",
            "/api/hub/threads",
            draft,
            at % 2 === 0 ? {} : { "idempotency-key": `asked-${at}-times` }
          )
        )
      )
      for (const { body, status } of answers) assert.strictEqual(status, 200, JSON.stringify(body))
      assert.lengthOf(new Set(answers.map(({ body }) => body.id)), 1)
      assert.lengthOf(
        answers.filter(({ body }) => body.reused !== true),
        1
      )
    })

    it("an agent's new thread waits for a person's approval, and then has the agent as its actor", async () => {
      for (const [path, type] of [
        ["/channels", "channel.create"],
        ["/threads", "thread.create"]
      ] as const) {
        const asked = await made(agent, path, { title: "Proposed", reasoning: "It helps." })
        assert.strictEqual(asked.status, "proposed")
        await refused(404, pod.owner, "GET", `${path}/${asked.proposedId}`)
        const approved = await approve(asked.proposalId)
        assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
        const { body } = await pod.owner.send("GET", `/api/hub${path}/${asked.proposedId}`)
        assert.deepInclude(body, { title: "Proposed", userId: pod.ownerId })
        const { result } = (await pod.owner.query("events.list", { type })).body
        const event = result.data.find(({ subjectId }: { subjectId: string }) => subjectId === asked.proposedId)
        assert.deepInclude(event, { actorId: agentId, userId: pod.ownerId })
      }
    })

    it("if two proposals would create threads with the same external key, a person who approves the second proposal gets a conflict", async () => {
      const draft = { externalSource: "chat", externalId: "twice proposed" }
      const [one, other] = [await made(agent, "/threads", draft), await made(agent, "/threads", draft)]
      assert.strictEqual((await approve(one.proposalId)).status, 200)
      const late = await approve(other.proposalId)
      assert.deepInclude({ status: late.status, code: late.body.code }, { status: 409, code: "THREAD_EXISTS" })
      assert.deepStrictEqual(await made(agent, "/threads", draft), { id: one.proposedId, reused: true })
    })

    it("an agent's change of a thread waits for a person's approval, and the person can revert it", async () => {
      const { id } = await made(pod.owner, "/threads", { title: "Before" })
      const { body } = await agent.send("PATCH", `/api/hub/threads/${id}`, { title: "After", status: "open" })
      assert.strictEqual(body.status, "proposed", JSON.stringify(body))
      assert.strictEqual((await approve(body.proposalId)).status, 200)
      const after = (await pod.owner.send("GET", `/api/hub/threads/${id}`)).body
      assert.deepInclude(after, { title: "After", status: "open" })
      const reverted = await pod.owner.send("POST", `/api/hub/proposals/${body.proposalId}/revert`)
      assert.strictEqual(reverted.status, 200, JSON.stringify(reverted.body))
      const before = (await pod.owner.send("GET", `/api/hub/threads/${id}`)).body
      assert.deepInclude(before, { title: "Before", status: null })
    })

    it("the list of branches of a thread contains the threads that have this thread as their parent", async () => {
      const trunk = await made(pod.owner, "/threads", { title: "Trunk" })
      assert.deepStrictEqual((await pod.owner.send("GET", `/api/hub/threads/${trunk.id}/branches`)).body, {
        branches: []
      })
      const branch = await made(pod.owner, "/threads", { parentChannelId: trunk.id, branchPurpose: "What if?" })
      await made(pod.owner, "/threads", { parentChannelId: branch.id })
      assert.deepStrictEqual((await pod.owner.send("GET", `/api/hub/threads/${trunk.id}/branches`)).body, {
        branches: [{ channelId: branch.id, branchPurpose: "What if?", status: null }]
      })
      const listed = (await pod.owner.send("GET", `/api/hub/threads?parentChannelId=${trunk.id}`)).body
      assert.deepStrictEqual(idsOf(listed), [branch.id])
    })

    it("a person can list channels by workspace and type, and can change and archive a channel", async () => {
      const entity = await made(pod.owner, "/entities", { workspaceId, title: "Harbour" })
      const draft = {
        workspaceId,
        type: "release",
        family: "work",
        contextObjectType: "entity",
        contextObjectId: entity.id
      }
      const channel = await made(pod.owner, "/channels", draft)
      assert.deepInclude(channel, { ...draft, title: null, agentId: null, userId: pod.ownerId, version: 1 })
      const list = async (query: string) => idsOf((await pod.owner.send("GET", `/api/hub/channels?${query}`)).body)
      assert.deepStrictEqual(await list(`workspaceId=${workspaceId}&type=release`), [channel.id])
      assert.deepStrictEqual(await list(`workspaceId=${pod.ownerId}&type=release`), [])
      const path = `/api/hub/channels/${channel.id}`
      assert.strictEqual((await pod.owner.send("PATCH", path, { title: "Now" })).body.title, "Now")
      const stale = await pod.owner.send("PATCH", path, { title: "Late", expectedVersion: 1 })
      assert.strictEqual(stale.status, 409)
      assert.deepStrictEqual((await pod.owner.send("DELETE", path)).body, { success: true, id: channel.id })
      await refused(404, pod.owner, "GET", `/channels/${channel.id}`)
      assert.deepStrictEqual(await list("type=release"), [])
    })

    it("the pages of a thread listing show each thread once, newest first", async () => {
      const { id: parentChannelId } = await made(pod.owner, "/channels", {})
      const begun: Array<string> = []
      for (let at = 0; at < 7; at++) begun.unshift((await made(pod.owner, "/threads", { parentChannelId })).id)
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const path: string = `/api/hub/threads?parentChannelId=${parentChannelId}&limit=3${cursor === null ? "" : `&cursor=${cursor}`}`
        const { body, headers } = await pod.owner.send("GET", path)
        seen.push(...idsOf(body))
        cursor = headers.get("x-svc-next-cursor")
      } while (cursor !== null)
      assert.deepStrictEqual(seen, begun)
    })
  })
}
