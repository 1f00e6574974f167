/** Chat in a channel: what the pod streams during a turn, what it stores, and who may chat where. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { assertOk, procedureData } from "../../attacks/attackScene.ts"
import { replies } from "../../support/modelStub.ts"
import { aChatScene, chatScopes, type ChatScene, streamed } from "../../support/chatScene.ts"
import { onOneStorage } from "../../support/storages.ts"

const path = "/api/external/chat/stream"
const query = "When was the crane on the quay inspected?"

onOneStorage("chat in a channel", (storage) => {
  let scene: ChatScene
  beforeAll(async () => {
    scene = await aChatScene(storage)
  })
  afterAll(() => scene?.stop())

  const turn = (body: object, caller = scene.key) => streamed(scene.pod.baseUrl, caller, path, body)
  const messages = async (channelId: string) =>
    assertOk(await scene.pod.owner.send("GET", `/api/hub/threads/${channelId}/messages`)) as ReadonlyArray<any>

  it("the pod refuses a chat turn of a stranger, of a key with a narrow grant, or in another person's channel, and does not call the model", async () => {
    const { pod, stub } = scene
    stub.reply(replies.saying("Hello."))
    const stranger = await pod.stranger.send("POST", path, { query })
    assert.strictEqual(stranger.status, 401)
    assert.match(stranger.body.error, /Authorization: Bearer/)
    const narrow = await pod.aKey(pod.owner, {
      scope: ["chat.stream"],
      grant: { permissions: ["channel.*", "entity.note.read"] }
    })
    assert.strictEqual((await narrow.send("POST", path, { query })).body.code, "GRANT_DOOR_UNSUPPORTED")
    const all = ["entity", "facet", "document", "memory", "proposal", "channel"].map((subject) => `${subject}.read`)
    const reading = await pod.aKey(pod.owner, { scope: ["chat.stream"], grant: { permissions: all } })
    assert.strictEqual((await reading.send("POST", path, { query })).body.code, "GRANT_DENIED")
    const other = await pod.aPerson()
    const theirs = assertOk(await other.send("POST", "/api/hub/threads", { title: "Secret" }))
    assert.strictEqual((await scene.key.send("POST", path, { query, channelId: theirs.id })).status, 404)
    assert.strictEqual((await scene.key.send("POST", path, { query: "" })).status, 400)
    assert.strictEqual((await scene.key.send("POST", path, { query, no: 1 })).status, 400)
    assert.strictEqual(stub.asked().length, 0)
  })

  it("a chat turn with an idempotency key is refused, because the pod could not repeat the streamed answer", async () => {
    const { key, pod, stub } = scene
    const answer = await key.send("POST", path, { query }, { "idempotency-key": "ask-only-once" })
    assert.strictEqual(answer.status, 400)
    assert.include(JSON.stringify(answer.body), "does not store the answer of this operation")
    assert.strictEqual(
      (await pod.stranger.send("POST", path, { query }, { "idempotency-key": "ask-only-once" })).status,
      401
    )
    assert.strictEqual(stub.asked().length, 0)
  })

  it("a chat turn returns the found sources, the words of the answer and the channel, and stores the question and the answer for the next turn", async () => {
    const { crane, stub } = scene
    stub.reply(replies.saying("In March 2026 [1]."))
    const { frames, status } = await turn({ query })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(frames[0].step, {
      tool: "search",
      input: { query },
      result: { sources: [{ substrate: "semantic", id: crane.id, title: "Crane" }] }
    })
    const answerText = frames.map(({ content }) => content ?? "").join("")
    assert.strictEqual(answerText, "In March 2026 [1].\n\nSources:\n[1] Crane")
    const { channelId, messageId } = frames.at(-1).data
    const [answer, asked] = await messages(channelId)
    assert.deepInclude(asked, { role: "user", content: query })
    assert.deepInclude(answer, { id: messageId, role: "assistant", content: answerText })
    const channels = (await scene.key.send("GET", "/api/external/chat/channels")).body
    assert.deepInclude(channels, {
      id: channelId,
      type: "thread",
      name: "Chat",
      isPersonal: true,
      workspaceId: null
    })
    stub.reply(replies.saying("By Miller [1]."))
    const again = await turn({ query: "And by whom?" })
    assert.strictEqual(again.frames.at(-1).data.channelId, channelId)
    assert.include(JSON.stringify(stub.asked()[0].body.messages), query)
  })

  it("for a chat in a channel of a workspace, the pod searches only this workspace, because all members of the workspace can read the answer", async () => {
    const { pod, stub } = scene
    const { owner } = pod
    const workspaceId = await pod.aWorkspace(owner)
    const { id: channelId } = assertOk(await owner.send("POST", "/api/hub/threads", { title: "Ours", workspaceId }))
    const shared = assertOk(
      await owner.send("POST", "/api/hub/entities", {
        profileSlug: "note",
        title: "Crane rules",
        description: "The crane on the quay is inspected each spring.",
        workspaceId
      })
    )
    assertOk(
      await owner.send("POST", "/api/hub/memory", {
        userId: pod.ownerId,
        fact: "I fear the crane on the quay and its inspection."
      })
    )
    stub.reply(replies.saying("Each spring [1]."))
    const { frames, text } = await turn({ query: "What do you remember about the crane on the quay?", channelId })
    assert.isNotEmpty(frames, text)
    assert.deepStrictEqual(
      frames[0].step?.result.sources.map(({ id }: { readonly id: string }) => id),
      [shared.id],
      text
    )
    const asked = JSON.stringify(stub.asked())
    assert.notInclude(asked, "Miller")
    assert.notInclude(asked, "I fear")
    stub.reply(replies.saying("You fear it [1]."))
    await turn({ query: "What do you remember about the crane on the quay?", agentType: "private" })
    assert.include(JSON.stringify(stub.asked()), "I fear")
    const elsewhere = await pod.aWorkspace(owner)
    const refused = await scene.key.send("POST", path, { query, channelId, workspaceId: elsewhere })
    assert.strictEqual(refused.status, 400)
  })

  it("the first chat turn creates its channel only together with the answer, so a failed turn leaves no channel", async () => {
    const { pod, stub } = scene
    const person = await pod.aPerson()
    const key = await pod.aKey(person, { scope: chatScopes })
    const channels = async () => assertOk(await key.send("GET", "/api/external/chat/channels"))
    stub.reply(replies.ending)
    await turn({ query }, key)
    assert.deepStrictEqual(await channels(), [])
    stub.reply(replies.saying("I do not know."))
    await turn({ query }, key)
    assert.lengthOf(await channels(), 1)
  })

  it("if an answer of the model contains a NUL character or half of an emoji, the pod stores the answer with replacement characters in their places", async () => {
    scene.stub.reply(replies.saying("The key\0 is \ud83d here."))
    const { frames } = await turn({ query })
    const [answer] = await messages(frames.at(-1).data.channelId)
    assert.include(answer.content, "The key\ufffd is \ufffd here.")
  })

  it("a chat turn that fails stores nothing, and its stream ends with the error", async () => {
    const { stub } = scene
    stub.reply(replies.saying("First."))
    const { channelId } = (await turn({ query, agentType: "failing" })).frames.at(-1).data
    const before = (await messages(channelId)).length
    stub.reply(replies.ending)
    const { frames } = await turn({ query, agentType: "failing" })
    assert.match(frames.at(-1).error, /model service/)
    assert.strictEqual((await messages(channelId)).length, before)
  })

  it("if the client disconnects or its key is revoked during a chat turn, the pod ends the call to the model and stores nothing", async () => {
    const { pod, stub } = scene
    stub.reply(replies.saying("First."))
    const { channelId } = (await turn({ query, agentType: "leaving" })).frames.at(-1).data
    const before = (await messages(channelId)).length
    const key = await pod.aKey(pod.owner, { scope: chatScopes })
    for (const end of ["left", "revoked"] as const) {
      stub.reply(replies.stalling)
      const leaving = new AbortController()
      const answer = streamed(pod.baseUrl, key, path, { query, agentType: "leaving" }, leaving.signal).catch(
        () => undefined
      )
      await stub.askedTimes(1)
      if (end === "left") leaving.abort()
      else await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
      await stub.released()
      const ended = await answer
      if (end === "revoked") assert.match(ended?.frames.at(-1)?.error ?? ended?.text, /stopped being valid/)
    }
    assert.strictEqual((await messages(channelId)).length, before)
  })

  it("if the chat messages of an agent wait for approval in a thread that already exists, the answer contains the id of this thread", async () => {
    const { pod, stub } = scene
    const person = await pod.aPerson()
    const { id: agentId } = procedureData(await person.mutate("agents.create", { name: "Clerk", capabilities: ["*"] }))
    const key = await pod.aKey(person, { scope: chatScopes, agentId })
    const rule = { scopeKind: "pod", targetKind: "action", targetPattern: "channel.*", verdict: "propose" }
    procedureData(await person.mutate("governanceRules.create", { ...rule, agentUserId: agentId }))
    // The person begins the thread while the model writes, so the pod finds the thread and proposes only the messages.
    let threadId: string | undefined
    stub.reply(async (response, asked) => {
      const begun = { title: "Chat", externalSource: "chat", externalId: "clerk" }
      threadId = assertOk(await person.send("POST", "/api/hub/threads", begun)).id
      replies.saying("In March.")(response, asked)
    })
    const { frames, text } = await turn({ query, agentType: "clerk" }, key)
    const [proposal, end] = frames.slice(-2)
    assert.isDefined(threadId)
    assert.deepStrictEqual(end?.data, { channelId: threadId, messageId: null }, text)
    assert.deepStrictEqual(proposal.data.payload, { channelId: threadId })
    stub.reply(replies.saying("In March."))
    const first = await turn({ query, agentType: "other" }, key)
    assert.deepStrictEqual(first.frames.at(-1).data, { channelId: null, messageId: null }, first.text)
  })

  it("if a governance rule requires approval, the chat messages of an agent become a proposal, and the streamed answer contains the address for the approval", async () => {
    const { pod, stub } = scene
    const { owner } = pod
    const workspaceId = await pod.aWorkspace(owner)
    const { id: agentId } = procedureData(await owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] }))
    assertOk(await owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId }))
    const rule = { scopeKind: "workspace", workspaceId, targetKind: "action", targetPattern: "channel.*" }
    procedureData(await owner.mutate("governanceRules.create", { ...rule, verdict: "propose", agentUserId: agentId }))
    const key = await pod.aKey(owner, { scope: chatScopes, agentId })
    const { id: channelId } = assertOk(await owner.send("POST", "/api/hub/threads", { title: "Talk", workspaceId }))
    stub.reply(replies.saying("In March."))
    const { frames, text } = await turn({ query, channelId }, key)
    const [proposal, end] = frames.slice(-2)
    assert.deepStrictEqual(end?.data, { channelId, messageId: null }, text)
    assert.deepStrictEqual(await messages(channelId), [])
    const path = `/api/hub/proposals/${proposal.data.proposalId}`
    assert.strictEqual(assertOk(await owner.send("GET", path)).threadId, channelId)
    const { body } = await owner.send("POST", `${path}/approve`, {})
    assert.include(proposal.data.approveUrl, proposal.data.proposalId)
    assert.notProperty(body, "error")
    assert.deepStrictEqual(
      (await messages(channelId)).map(({ authorId, role }) => [authorId, role]),
      [
        [agentId, "assistant"],
        [agentId, "user"]
      ]
    )
  })
})
