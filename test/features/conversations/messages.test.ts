/** Messages in threads, on a whole pod: who may write and read them, their order, and how they change the thread. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mcp } from "../../doors/surfaces.ts"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const contentsOf = (body: ReadonlyArray<{ readonly content: string }>) => body.map(({ content }) => content)

for (const [where, storage] of storages) {
  describe(`messages in threads ${where}`, () => {
    let pod: TestPod
    let agent: Caller
    let agentId: string
    let workspaceId: string

    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      const capabilities = ["channel.create", "channel.delete"]
      agentId = (await pod.owner.mutate("agents.create", { name: "Scribe", capabilities })).body.result.data.id
      agent = await pod.aKey(pod.owner, { agentId })
    })
    afterAll(() => pod?.stop())

    const aThread = async (draft: Readonly<Record<string, unknown>> = {}) => {
      const { body, status } = await pod.owner.send("POST", "/api/hub/threads", draft)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.id as string
    }
    const say = (caller: Caller, threadId: string, content: unknown, more: Readonly<Record<string, unknown>> = {}) =>
      caller.send("POST", `/api/hub/threads/${threadId}/messages`, { role: "user", content, ...more })
    const sayAll = (caller: Caller, threadId: string, messages: ReadonlyArray<unknown>) =>
      caller.send("POST", `/api/hub/threads/${threadId}/messages.batch`, { messages })
    const messagesOf = async (threadId: string, query = "", caller: Caller = pod.owner) => {
      const { body, status } = await caller.send("GET", `/api/hub/threads/${threadId}/messages${query}`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const hasNoMessages = async (threadId: string) => assert.deepStrictEqual(await messagesOf(threadId), [])

    it("only a caller who may write in a thread can post messages there, and only in their own name", async () => {
      const threadId = await aThread({ workspaceId })
      const stranger = await pod.aPerson()
      const viewer = await aColleague(pod, storage, workspaceId, "viewer", "onlooker")
      const mute = await pod.owner.mutate("agents.create", { name: "Mute", capabilities: ["channel.update"] })
      const muted = await pod.aKey(pod.owner, { agentId: mute.body.result.data.id })
      const reader = await pod.aKey(pod.owner, { grant: { permissions: ["channel.read", "channel.update"] } })
      const elsewhere = await pod.aWorkspace(pod.owner)
      const bound = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [elsewhere] } })
      for (const [status, caller] of [
        [404, stranger],
        [403, viewer],
        [403, muted],
        [403, reader],
        [404, bound]
      ] as const) {
        for (const answer of [
          await say(caller, threadId, "No."),
          await sayAll(caller, threadId, [{ role: "user", content: "No." }])
        ]) {
          assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
        }
      }
      assert.strictEqual((await say(pod.owner, threadId, "No.", { userId: stranger.id })).status, 403)
      const item = { role: "user", content: "No." }
      assert.strictEqual((await sayAll(pod.owner, threadId, [item, { ...item, userId: stranger.id }])).status, 403)
      await hasNoMessages(threadId)
    })

    it("a batch of one to a hundred messages is stored as a whole or refused as a whole", async () => {
      const threadId = await aThread()
      const item = { role: "user", content: "x" }
      for (const messages of [
        [],
        Array.from({ length: 101 }, () => item),
        [item, { ...item, role: "robot" }],
        [item, { role: "user" }]
      ]) {
        assert.strictEqual((await sayAll(pod.owner, threadId, messages)).status, 400)
      }
      await hasNoMessages(threadId)
      const hundred = Array.from({ length: 100 }, (_, at) => ({ role: "assistant", content: `${at}` }))
      const { body, status } = await sayAll(pod.owner, threadId, hundred)
      assert.strictEqual(status, 200, JSON.stringify(body))
      const posted = await messagesOf(threadId, "?limit=200")
      assert.deepStrictEqual(
        posted.map(({ id }: { id: string }) => id),
        body.messageIds.toReversed()
      )
      assert.deepStrictEqual(contentsOf(posted), hundred.map(({ content }) => content).toReversed())
    })

    it("when an agent posts a message, the pod stores it at once, with the agent as its author and actor", async () => {
      const threadId = await aThread()
      const { body, status } = await say(agent, threadId, "Done.", { role: "assistant", userId: pod.ownerId })
      assert.deepInclude({ status, success: body.success }, { status: 200, success: true })
      const [posted] = await messagesOf(threadId)
      assert.deepInclude(posted, { id: body.messageId, authorId: agentId, userId: pod.ownerId, role: "assistant" })
      const { result } = (await pod.owner.query("events.list", { type: "message.create" })).body
      const event = result.data.find(({ subjectId }: { subjectId: string }) => subjectId === body.messageId)
      assert.deepInclude(event, { actorId: agentId, userId: pod.ownerId })
      assert.deepInclude(event.decision, { verdict: "allow", rung: "direct", permission: "channel.create" })
      assert.notInclude(JSON.stringify(event), "Done.")
    })

    it("if an agent outside the workspace posts a message, the pod stores a proposal to add the agent to the workspace, and does not store the message", async () => {
      const threadId = await aThread({ workspaceId })
      for (const { body } of [
        await say(agent, threadId, "Hello"),
        await sayAll(agent, threadId, [{ role: "user", content: "Hello" }])
      ]) {
        assert.deepInclude(body, { status: "proposed", proposalType: "join" })
        assert.strictEqual((await pod.owner.send("GET", `/api/hub/proposals/${body.proposalId}`)).status, 200)
      }
      await hasNoMessages(threadId)
    })

    it("an agent cannot create a proposal to add, change or delete a message, because such a proposal could name another person as the author of the message", async () => {
      const threadId = await aThread()
      const { body } = await say(pod.owner, threadId, "Mine.")
      const data = {
        threadId,
        role: "user",
        content: "Not mine.",
        authorId: pod.ownerId,
        sessionId: null,
        metadata: null
      }
      for (const [proposalType, targetId] of [
        ["create", undefined],
        ["update", body.messageId],
        ["delete", body.messageId]
      ]) {
        const filed = await agent.send("POST", "/api/hub/proposals", {
          targetType: "message",
          targetId,
          proposalType,
          data
        })
        assert.strictEqual(filed.status, 400, JSON.stringify(filed.body))
      }
      assert.deepStrictEqual(contentsOf(await messagesOf(threadId)), ["Mine."])
    })

    it("the messages of an archived thread cannot be read, and no message can be added to the thread", async () => {
      const threadId = await aThread()
      await say(pod.owner, threadId, "Gone soon.")
      const wish = { targetType: "thread", targetId: threadId, proposalType: "delete", data: {} }
      const { body } = await agent.send("POST", "/api/hub/proposals", wish)
      assert.strictEqual(body.status, "pending", JSON.stringify(body))
      const approved = await pod.owner.send("POST", `/api/hub/proposals/${body.proposalId}/approve`, {})
      assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
      assert.strictEqual((await pod.owner.send("GET", `/api/hub/threads/${threadId}/messages`)).status, 404)
      assert.strictEqual((await say(pod.owner, threadId, "Hello?")).status, 404)
    })

    it("a key that may create and read messages, but may not update threads, can post a message, and the message moves the thread to the top of the list", async () => {
      const quiet = await aThread({ title: "Quiet", workspaceId })
      const newer = await aThread({ workspaceId })
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["channel.create", "channel.read"] } })
      const list = async () => {
        const { body } = await pod.owner.send("GET", `/api/hub/threads?workspaceId=${workspaceId}&limit=2`)
        return body.map(({ id }: { id: string }) => id)
      }
      assert.deepStrictEqual(await list(), [newer, quiet])
      const before = (await pod.owner.send("GET", `/api/hub/threads/${quiet}`)).body
      assert.strictEqual((await say(key, quiet, "Knock.")).status, 200)
      assert.deepStrictEqual(await list(), [quiet, newer])
      const after = (await pod.owner.send("GET", `/api/hub/threads/${quiet}`)).body
      assert.isAtLeast(Date.parse(after.updatedAt), Date.parse(before.updatedAt))
      assert.deepInclude(after, { title: "Quiet", createdAt: before.createdAt, userId: before.userId })
      assert.strictEqual((await key.send("PATCH", `/api/hub/threads/${quiet}`, { title: "Loud" })).status, 403)
      const { result } = (await pod.owner.query("events.list", { limit: 10 })).body
      const posted = result.data.find(({ type }: { type: string }) => type === "message.create")
      const together = result.data.filter(
        ({ correlationId }: { correlationId: string }) => correlationId === posted.correlationId
      )
      assert.deepStrictEqual(
        together.map(({ seq, type }: { seq: number; type: string }) => [seq - posted.seq, type]).toSorted(),
        [
          [-1, "thread.move"],
          [0, "message.create"]
        ]
      )
    })

    it("a key that may not read messages cannot post a message", async () => {
      const threadId = await aThread()
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["channel.create"] } })
      assert.strictEqual((await say(key, threadId, "Blind.")).status, 404)
      await hasNoMessages(threadId)
    })

    it("a message keeps its metadata and its focus session, and has the time at which it was posted", async () => {
      const threadId = await aThread()
      const sessionId = "0190a0a0-0000-7000-8000-00000000aaaa"
      const metadata = { model: "none", tokens: 3 }
      await say(pod.owner, threadId, "Noted.", { metadata, sessionId, autoRespond: true })
      const [posted] = await messagesOf(threadId)
      assert.deepInclude(posted, { threadId, sessionId, metadata, content: "Noted.", workspaceId: null })
      assert.strictEqual(posted.timestamp, posted.createdAt)
    })

    it("the pages of a thread show each message once, latest first, even if new messages arrive meanwhile", async () => {
      const threadId = await aThread()
      const posted = Array.from({ length: 7 }, (_, at) => `${at}`)
      for (const content of posted) await say(pod.owner, threadId, content)
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const path: string = `/api/hub/threads/${threadId}/messages?limit=3${cursor === null ? "" : `&cursor=${cursor}`}`
        const { body, headers } = await pod.owner.send("GET", path)
        seen.push(...contentsOf(body))
        cursor = headers.get("x-svc-next-cursor")
        await say(pod.owner, threadId, "later")
      } while (cursor !== null)
      assert.deepStrictEqual(seen, posted.toReversed())
    })

    it("an agent that reads the context of a thread gets the latest 50 messages, oldest first", async () => {
      const threadId = await aThread({ title: "Context" })
      const messages = Array.from({ length: 60 }, (_, at) => ({ role: "user", content: `${at}` }))
      await sayAll(pod.owner, threadId, messages)
      const ask = (caller: Caller, id: string) =>
        mcp(caller, "tools/call", { name: "svc_get_thread_context", arguments: { threadId: id } })
      const context = (await ask(agent, threadId)).message.result?.structuredContent as any
      assert.strictEqual(context.thread.title, "Context")
      assert.deepStrictEqual(
        contentsOf(context.messages),
        messages.slice(10).map(({ content }) => content)
      )
      const missing = (await ask(agent, "0190a0a0-0000-7000-8000-00000000dead")).message.result
      assert.strictEqual(missing?.isError, true)
    })
  })
}
