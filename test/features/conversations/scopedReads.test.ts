/**
 * What a key with a narrow grant reads of conversations and sessions. The key does not learn that other conversations
 * and sessions exist.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mcp } from "../../doors/surfaces.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

for (const [where, storage] of storages) {
  describe(`reads of conversations by keys with a narrow grant ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let ids: Readonly<Record<"channel" | "thread" | "message" | "session" | "outside", string>>

    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      const made = async (path: string, body: Readonly<Record<string, unknown>>) => {
        const answer = await pod.owner.send("POST", `/api/hub${path}`, body)
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        return answer.body
      }
      const note = (await made("/entities", { workspaceId, profileSlug: "note", title: "Talked about" })).id
      const about = { contextObjectType: "entity", contextObjectId: note }
      const channel = (await made("/channels", { workspaceId, ...about })).id
      const thread = (await made("/threads", { workspaceId, parentChannelId: channel, ...about })).id
      const message = (await made(`/threads/${thread}/messages`, { role: "user", content: "Hidden?" })).messageId
      const session = (await made("/focus-sessions", { workspaceId, goal: "Hide" })).id
      const outside = (await made("/threads", { title: "Own space" })).id
      ids = { channel, thread, message, session, outside }
    })
    afterAll(() => pod?.stop())

    const seenBy = async (key: Caller) => {
      const get = async (path: string) => {
        const { body, status } = await key.send("GET", `/api/hub${path}`)
        return status === 200 ? body : status
      }
      return {
        channels: await get("/channels"),
        threads: await get("/threads"),
        branches: await get(`/threads/${ids.thread}/branches`),
        messages: await get(`/threads/${ids.thread}/messages`),
        sessions: await get(`/focus-sessions?workspaceId=${workspaceId}`),
        inbox: await get("/messaging/channels"),
        linked: await get("/messaging/linked-unread")
      }
    }
    const empty = {
      channels: [],
      threads: [],
      branches: 404,
      messages: 404,
      sessions: [],
      inbox: { channels: [] },
      linked: { linked: [], total: 0 }
    }
    const aKey = (grant: Readonly<Record<string, unknown>>) => pod.aKey(pod.owner, { grant })
    const idsIn = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)

    it("attack: a key with a grant for entities reads no channel, thread, message, focus session or inbox", async () => {
      for (const permissions of [["entity"], ["entity.*.read"], ["entity.read", "track.read", "view.read"]]) {
        assert.deepStrictEqual(await seenBy(await aKey({ permissions })), empty)
      }
    })

    it("a key that may only write, or that is limited to projects or to records other than conversations, reads no conversation and no focus session", async () => {
      const project = "0190a0a0-0000-7000-8000-00000000bbbb"
      for (const grant of [
        { permissions: ["channel.create", "session.create", "messaging.update"] },
        { permissions: ["*"], projectIds: [project] },
        { permissions: ["*"], entityIds: [project] }
      ]) {
        assert.deepStrictEqual(await seenBy(await aKey(grant)), empty)
      }
    })

    it("a key for a workspace reads the conversations in that workspace, and a key for another workspace reads none of them", async () => {
      const inside = await seenBy(await aKey({ permissions: ["*"], workspaceIds: [workspaceId] }))
      assert.deepStrictEqual(idsIn(inside.threads), [ids.thread])
      assert.deepStrictEqual(idsIn(inside.inbox.channels).toSorted(), [ids.channel, ids.thread].toSorted())
      assert.deepStrictEqual(idsIn(inside.messages), [ids.message])
      assert.deepStrictEqual(idsIn(inside.sessions), [ids.session])
      const elsewhere = await pod.aWorkspace(pod.owner)
      const outside = await seenBy(await aKey({ permissions: ["*"], workspaceIds: [elsewhere] }))
      assert.deepStrictEqual(outside, { ...empty, sessions: 403 })
    })

    it("a key can read a message only if it can read the thread, so a grant for only the message is not enough", async () => {
      const message = await seenBy(await aKey({ permissions: ["channel.read"], entityIds: [ids.message] }))
      assert.deepStrictEqual(message, empty)
      const thread = await seenBy(await aKey({ permissions: ["channel.read"], entityIds: [ids.thread] }))
      assert.deepStrictEqual(
        { threads: idsIn(thread.threads), messages: thread.messages },
        {
          threads: [ids.thread],
          messages: []
        }
      )
      const both = await seenBy(await aKey({ permissions: ["channel.read"], entityIds: [ids.thread, ids.message] }))
      assert.deepStrictEqual(idsIn(both.messages), [ids.message])
    })

    it("a key needs both the permission `messaging.read` and the permission `channel.read` to read the inbox", async () => {
      for (const permissions of [["messaging.read"], ["channel.read"]]) {
        const { inbox, linked } = await seenBy(await aKey({ permissions }))
        assert.deepStrictEqual({ inbox, linked }, { inbox: empty.inbox, linked: empty.linked })
      }
      const { inbox } = await seenBy(await aKey({ permissions: ["messaging.read", "channel.read"] }))
      assert.deepStrictEqual(idsIn(inbox.channels).toSorted(), [ids.channel, ids.thread, ids.outside].toSorted())
    })

    it("only a key with an unrestricted grant reads a channel, thread or focus session by its id, or the context of a thread", async () => {
      const key = await aKey({ permissions: ["channel.read", "session.read"] })
      for (const path of [`/channels/${ids.channel}`, `/threads/${ids.thread}`, `/focus-sessions/${ids.session}`]) {
        const { body, status } = await key.send("GET", `/api/hub${path}`)
        assert.deepInclude({ status, code: body.code }, { status: 403, code: "GRANT_DOOR_UNSUPPORTED" })
      }
      const { message } = await mcp(key, "tools/call", {
        name: "svc_get_thread_context",
        arguments: { threadId: ids.thread }
      })
      assert.notInclude(JSON.stringify(message), "Hidden?")
    })
  })
}
