/** The inbox on a whole pod: which messages count as unread, for which person, and what marking as read does. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const nowhere = "0190a0a0-0000-7000-8000-00000000dead"

for (const [where, storage] of storages) {
  describe(`the inbox of conversations ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let colleague: Caller & { readonly id: string }
    let viewer: Caller & { readonly id: string }

    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      colleague = await aColleague(pod, storage, workspaceId, "editor", "colleague")
      viewer = await aColleague(pod, storage, workspaceId, "viewer", "looker")
    })
    afterAll(() => pod?.stop())

    const made = async (path: string, body: Readonly<Record<string, unknown>>, caller: Caller = pod.owner) => {
      const answer = await caller.send("POST", `/api/hub${path}`, body)
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    }
    const aThread = async (draft: Readonly<Record<string, unknown>> = {}) =>
      (await made("/threads", { workspaceId, ...draft })).id as string
    const say = async (threadId: string, caller: Caller = pod.owner) =>
      (await made(`/threads/${threadId}/messages`, { role: "user", content: "Hello" }, caller)).messageId as string
    const markRead = (caller: Caller, id: string, query = "") =>
      caller.send("PUT", `/api/hub/messaging/channels/${id}/read${query}`)
    const unreadIn = async (caller: Caller, id: string) => {
      const { body, status } = await caller.send("GET", "/api/hub/messaging/channels?limit=200")
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.channels.find((one: { id: string }) => one.id === id)?.unread
    }

    it("a person without the right to read a conversation cannot mark it as read, and only a message of the conversation can be the read position", async () => {
      const threadId = await aThread()
      const other = await aThread()
      const elsewhere = await say(other)
      const stranger = await pod.aPerson()
      for (const [caller, id, query] of [
        [stranger, threadId, ""],
        [colleague, nowhere, ""],
        [colleague, threadId, `?messageId=${elsewhere}`],
        [colleague, threadId, `?messageId=${nowhere}`]
      ] as const) {
        const { body, status } = await markRead(caller, id, query)
        assert.deepStrictEqual(
          { status, body },
          {
            status: 404,
            body: {
              error: "There is no such channel, thread or message, or this credential has no access to it.",
              docs: "/docs/errors#NotFound"
            }
          }
        )
      }
      assert.strictEqual(
        (await stranger.send("GET", `/api/hub/messaging/channels?workspaceId=${workspaceId}`)).status,
        403
      )
    })

    it("an agent, a key without the needed permission, and a key for another workspace cannot mark a conversation as read", async () => {
      const threadId = await aThread()
      await say(threadId)
      const { body } = await colleague.mutate("agents.create", { name: "Eager", capabilities: ["*"] })
      const eager = await pod.aKey(colleague, { agentId: body.result.data.id })
      const reading = await pod.aKey(colleague, { grant: { permissions: ["messaging.read", "channel.read"] } })
      const own = await pod.aWorkspace(colleague)
      const elsewhere = await pod.aKey(colleague, { grant: { permissions: ["*"], workspaceIds: [own] } })
      const answers = [await markRead(eager, threadId), await markRead(reading, threadId)]
      assert.deepStrictEqual(
        answers.map(({ body: { code }, status }) => [status, code]),
        [
          [403, "PEOPLE_ONLY"],
          [403, "GRANT_DENIED"]
        ]
      )
      assert.strictEqual((await markRead(elsewhere, threadId)).status, 404)
      assert.strictEqual(await unreadIn(colleague, threadId), 1)
    })

    it("the unread count includes messages of other people and of agents, but not the person's own messages", async () => {
      const threadId = await aThread()
      const agentId = (await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })).body.result
        .data.id
      await made("/workspaces/enroll-agent", { workspaceId, agentUserId: agentId })
      const agent = await pod.aKey(pod.owner, { agentId })
      await say(threadId)
      await say(threadId, colleague)
      await say(threadId, agent)
      assert.strictEqual(await unreadIn(pod.owner, threadId), 2)
      assert.strictEqual(await unreadIn(colleague, threadId), 2)
      assert.strictEqual(await unreadIn(viewer, threadId), 3)
    })

    it("when a person marks a conversation as read, only the unread count of this person becomes zero, and later messages are counted again", async () => {
      const threadId = await aThread()
      await say(threadId)
      const last = await say(threadId)
      for (const caller of [colleague, viewer]) {
        const { body, status } = await markRead(caller, threadId)
        assert.deepStrictEqual(
          { status, body },
          {
            status: 200,
            body: { success: true, channelId: threadId, lastMessageId: last }
          }
        )
        assert.strictEqual(await unreadIn(caller, threadId), 0)
      }
      await say(threadId)
      assert.strictEqual(await unreadIn(colleague, threadId), 1)
      const third = await aColleague(pod, storage, workspaceId, "editor", "third")
      assert.strictEqual(await unreadIn(third, threadId), 3)
    })

    it("when a person marks a conversation as read up to a message, the read position never moves backwards", async () => {
      const threadId = await aThread()
      const [first, second] = [await say(threadId), await say(threadId)]
      await say(threadId)
      assert.strictEqual((await markRead(colleague, threadId, `?messageId=${second}`)).body.lastMessageId, second)
      assert.strictEqual(await unreadIn(colleague, threadId), 1)
      assert.strictEqual((await markRead(colleague, threadId, `?messageId=${first}`)).body.lastMessageId, second)
      assert.strictEqual(await unreadIn(colleague, threadId), 1)
    })

    it("when a person marks an empty conversation as read, the answer says that no message was marked", async () => {
      const threadId = await aThread()
      assert.strictEqual((await markRead(colleague, threadId)).body.lastMessageId, null)
      await say(threadId)
      assert.strictEqual(await unreadIn(colleague, threadId), 1)
    })

    it("the unread count of a channel includes its threads, and a person who marks the channel as read marks these threads too, but not their branches", async () => {
      const { id: channelId } = await made("/channels", { workspaceId })
      const [one, other] = [
        await aThread({ parentChannelId: channelId }),
        await aThread({ parentChannelId: channelId })
      ]
      const branch = await aThread({ parentChannelId: one })
      for (const threadId of [branch, one, one, other]) await say(threadId)
      const all = async () => Promise.all([channelId, one, other, branch].map((id) => unreadIn(colleague, id)))
      assert.deepStrictEqual(await all(), [3, 2, 1, 1])
      await markRead(colleague, one)
      assert.deepStrictEqual(await all(), [1, 0, 1, 1])
      await markRead(colleague, channelId)
      assert.deepStrictEqual(await all(), [0, 0, 0, 1])
      await say(other)
      assert.deepStrictEqual(await all(), [1, 0, 1, 1])
    })

    it("a key for one workspace can mark conversations in this workspace as read only if the person who owns the key may write in the workspace", async () => {
      const threadId = await aThread()
      await say(threadId)
      const grant = { permissions: ["messaging", "channel.read"], workspaceIds: [workspaceId] }
      assert.strictEqual((await markRead(await pod.aKey(colleague, { grant }), threadId)).status, 200)
      assert.strictEqual(await unreadIn(colleague, threadId), 0)
      assert.strictEqual((await markRead(await pod.aKey(viewer, { grant }), threadId)).status, 403)
    })

    it("the inbox shows for each conversation the title, the type, the field `family`, and the time of the latest message", async () => {
      const workspace = await pod.aWorkspace(pod.owner)
      const { id: channelId } = await made("/channels", {
        workspaceId: workspace,
        title: "News",
        type: "feed",
        family: "f"
      })
      const threadId = (await made("/threads", { workspaceId: workspace, title: "Item", parentChannelId: channelId }))
        .id
      await say(threadId)
      const { body } = await pod.owner.send("GET", `/api/hub/messaging/channels?workspaceId=${workspace}`)
      const [message] = (await pod.owner.send("GET", `/api/hub/threads/${threadId}/messages`)).body
      const common = { unread: 0, lastMessageAt: message.timestamp, workspaceId: workspace }
      assert.deepStrictEqual(body, {
        channels: [
          { id: threadId, title: "Item", type: "thread", family: null, ...common },
          { id: channelId, title: "News", type: "feed", family: "f", ...common }
        ]
      })
    })

    it("the pod lists each conversation that is about an object and has unread messages, with the number of these messages", async () => {
      const workspace = await pod.aWorkspace(colleague)
      const entity = await made("/entities", { workspaceId: workspace, title: "Harbour" }, colleague)
      const about = { workspaceId: workspace, contextObjectType: "entity", contextObjectId: entity.id }
      const linked = async (query = "") =>
        (await colleague.send("GET", `/api/hub/messaging/linked-unread?workspaceId=${workspace}${query}`)).body
      const read = await made("/threads", about, colleague)
      const plain = await made("/threads", { workspaceId: workspace }, colleague)
      const one = await made("/threads", { ...about, title: "One" }, colleague)
      const two = await made("/threads", { ...about, title: "Two" }, colleague)
      const { body } = await colleague.mutate("agents.create", { name: "Teller", capabilities: ["*"] })
      const agentId = body.result.data.id
      await made("/workspaces/enroll-agent", { workspaceId: workspace, agentUserId: agentId }, colleague)
      const teller = await pod.aKey(colleague, { agentId })
      for (const { id } of [read, plain, one, two, two]) await say(id, teller)
      await markRead(colleague, read.id)
      const shown = ({ id, title }: { id: string; title: string }, unread: number) => ({
        channelId: id,
        title,
        contextObjectType: "entity",
        contextObjectId: entity.id,
        unread
      })
      assert.deepStrictEqual(await linked(), { linked: [shown(two, 2), shown(one, 1)], total: 3 })
      assert.deepStrictEqual(await linked("&limit=1"), { linked: [shown(two, 2)], total: 3 })
    })

    it("the pages of the inbox show each channel and each thread once", async () => {
      const workspace = await pod.aWorkspace(pod.owner)
      const begun: Array<string> = []
      for (let at = 0; at < 7; at++) {
        begun.unshift((await made(at % 2 === 0 ? "/channels" : "/threads", { workspaceId: workspace })).id)
      }
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const more: string = cursor === null ? "" : `&cursor=${cursor}`
        const path: string = `/api/hub/messaging/channels?workspaceId=${workspace}&limit=3${more}`
        const { body, headers } = await pod.owner.send("GET", path)
        seen.push(...body.channels.map(({ id }: { id: string }) => id))
        cursor = headers.get("x-svc-next-cursor")
      } while (cursor !== null)
      assert.deepStrictEqual(seen, begun)
    })
  })
}
