/**
 * Everything that an agent does over MCP, from its first call to the end of its work: captured texts, files, sessions,
 * messages, and calls that wait.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { aColleague } from "../support/membership.ts"
import { onOneStorage } from "../support/storages.ts"
import { mcpClients } from "./realMcpClients.ts"

interface Called {
  readonly isError: boolean
  readonly text: string
  // The answer has no type. Each test asserts the values that it reads from the answer.
  readonly answer: any
}

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

onOneStorage("the tools of an agent", (storage) => {
  let pod: TestPod
  let workspaceId: string
  let key: Caller
  let agent: Caller
  const call = async (caller: Caller, name: string, args: Record<string, unknown> = {}): Promise<Called> => {
    const client = await mcpClients(() => pod)["SDK v2"](caller)
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: args })
    await client.close()
    const text = (content as ReadonlyArray<{ readonly text: string }>).map((one) => one.text).join("\n")
    return { isError: isError === true, text, answer: structuredContent }
  }
  const done = async (caller: Caller, name: string, args: Record<string, unknown> = {}) => {
    const { answer, isError, text } = await call(caller, name, args)
    assert.isFalse(isError, `${name}: ${text}`)
    return answer
  }
  const refused = async (caller: Caller, name: string, args: Record<string, unknown> = {}) => {
    const { isError, text } = await call(caller, name, args)
    assert.isTrue(isError, `${name} answered`)
    return text
  }

  beforeAll(async () => {
    pod = await aPod(storage)
    workspaceId = await pod.aWorkspace(pod.owner)
    key = await pod.aKey(pod.owner)
    const { body } = await pod.owner.mutate("agents.create", {
      name: "Scribe",
      capabilities: ["entity.create", "channel.create", "session.create", "session.update", "document.create"]
    })
    agent = await pod.aKey(pod.owner, { agentId: body.result.data.id })
  })
  afterAll(() => pod?.stop())

  it("`svc_capture` stores a text as a note with the first line as title, and a call with a repeated idempotency key adds no second note", async () => {
    const args = { content: "# Roof\nThe roof leaks.", workspaceId, idempotencyKey: "capture-roof" }
    const first = await done(key, "svc_capture", args)
    assert.deepInclude(first, { storedAs: "note", title: "Roof" })
    assert.deepStrictEqual(await done(key, "svc_capture", args), first)
    const { description } = await done(key, "svc_get_entity", { entityId: first.id, detail: "full" })
    assert.strictEqual(description, args.content)
  })

  it("`svc_capture` stores a long text without spaces, and the shortened title does not end with half of an emoji", async () => {
    const { title } = await done(key, "svc_capture", { content: `a${"😀".repeat(100)}`, workspaceId })
    assert.strictEqual(title, `a${"😀".repeat(29)}…`)
  })

  it("if `svc_capture` gets the key of an existing knowledge entry, the new text replaces the value of this entry", async () => {
    await done(key, "svc_capture", { content: "main", key: "deploy.branch" })
    await done(key, "svc_capture", { content: "release", key: "deploy.branch" })
    const { body } = await pod.owner.send("GET", "/api/hub/knowledge/deploy.branch")
    assert.strictEqual(body.value, "release")
    assert.include(await refused(key, "svc_capture", { content: "x", key: "a", title: "b" }), "only for a note")
  })

  it("if an agent stores a text with `svc_capture`, the text becomes a proposal that waits for the decision of a person", async () => {
    const { status } = await done(agent, "svc_capture", { content: "A thought of an agent" })
    assert.strictEqual(status, "proposed")
  })

  it("a person cannot store texts, files or messages in a workspace of which the person is not a member", async () => {
    const stranger = await pod.aKey(await pod.aPerson())
    await refused(stranger, "svc_capture", { content: "mine", workspaceId })
    await refused(stranger, "svc_store_file", { filename: "a.txt", mimeType: "text/plain", content: "a", workspaceId })
    await refused(stranger, "svc_post_message", { content: "hello", workspaceId })
  })

  it("`svc_store_file` stores a text file as a document that `svc_get_document` returns unchanged", async () => {
    const file = { filename: "list.csv", mimeType: "text/csv", content: "a,b\n1,2", workspaceId }
    const stored = await done(key, "svc_store_file", file)
    assert.deepInclude(stored, { storedAs: "document", sizeBytes: 7, isKnown: false })
    assert.strictEqual((await done(key, "svc_get_document", { documentId: stored.documentId })).content, file.content)
    const { documents } = await done(key, "svc_list_documents", { workspaceId })
    assert.include(
      documents.map(({ id }: { readonly id: string }) => id),
      stored.documentId
    )
    assert.isTrue((await done(key, "svc_store_file", file)).isKnown)
  })

  it("if a client creates an entity or a file twice with one idempotency key, the pod creates it once, even if the creation becomes a proposal", async () => {
    const contentBase64 = picture.toString("base64")
    const calls = [
      ["svc_create_entity", { profileSlug: "note", title: "Repeated", workspaceId }, "id"],
      ["svc_store_file", { filename: "again.png", mimeType: "image/png", contentBase64, workspaceId }, "attachmentId"]
    ] as const
    for (const [name, args, id] of calls) {
      assert.include(await refused(key, name, { ...args, idempotencyKey: "short" }), "idempotencyKey")
      const first = await done(key, name, { ...args, idempotencyKey: "made-only-once" })
      assert.deepStrictEqual(await done(key, name, { ...args, idempotencyKey: "made-only-once" }), first)
      const other = await done(key, name, { ...args, idempotencyKey: "made-a-second-time" })
      assert.notStrictEqual(other[id], first[id])
    }
    const waits = { profileSlug: "note", title: "Repeated by an agent", idempotencyKey: "waits-only-once" }
    const { proposalId, status } = await done(agent, "svc_create_entity", waits)
    assert.strictEqual(status, "proposed")
    assert.strictEqual((await done(agent, "svc_create_entity", waits)).proposalId, proposalId)
  })

  it("if the argument `compare` is true, `svc_ask` also returns how its ranking differs from a ranking by words alone, and otherwise it returns no comparison", async () => {
    for (const title of ["Crane one", "Crane two", "Crane three"]) {
      await done(key, "svc_create_entity", { profileSlug: "note", title, workspaceId })
    }
    const question = { query: "crane", workspaceId }
    const compared = await done(key, "svc_ask", { ...question, compare: true, budget: 200 })
    assert.deepStrictEqual(compared.comparison, { overlapAtN: 1, moved: [], more: 0 })
    assert.isNotEmpty(compared.items)
    assert.notProperty(await done(key, "svc_ask", question), "comparison")
  })

  it("`svc_store_file` stores a file that is not text as an attachment of a new note, with the same bytes", async () => {
    const contentBase64 = picture.toString("base64")
    const stored = await done(key, "svc_store_file", { filename: "dot.png", mimeType: "image/png", contentBase64 })
    assert.strictEqual(stored.storedAs, "attachment")
    const path = `/api/hub/entities/${stored.entityId}/attachments/${stored.attachmentId}`
    const { body } = await pod.owner.send("GET", path)
    assert.deepInclude(body, { data: contentBase64, mimeType: "image/png", fileName: "dot.png" })
  })

  it("`svc_store_file` refuses a file without content, with both text and base64 content, with invalid base64, or with bytes of another media type", async () => {
    const file = { filename: "a.png", mimeType: "image/png" }
    assert.include(await refused(key, "svc_store_file", file), "either `content` or `contentBase64`")
    assert.include(await refused(key, "svc_store_file", { ...file, content: "a", contentBase64: "YQ==" }), "either")
    assert.include(await refused(key, "svc_store_file", { ...file, contentBase64: "%%%%" }), "base64")
    assert.include(await refused(key, "svc_store_file", { ...file, contentBase64: "YWJj" }), "image/png")
  })

  it("an agent whose writes need approval cannot store a binary file, and the refused call creates no proposal", async () => {
    const before = (await pod.owner.send("GET", "/api/hub/proposals")).body.total
    const file = { filename: "b.png", mimeType: "image/png", contentBase64: picture.toString("base64") }
    assert.include(await refused(agent, "svc_store_file", file), "proposal")
    assert.strictEqual((await pod.owner.send("GET", "/api/hub/proposals")).body.total, before)
  })

  it("`svc_start_session` creates one focus session for each correlation id, and the agent can then report progress and close the session", async () => {
    const args = { goal: "Mend the roof", correlationId: "roof-1" }
    const { id: sessionId, status } = await done(key, "svc_start_session", args)
    assert.strictEqual(status, "active")
    assert.strictEqual((await done(key, "svc_start_session", args)).id, sessionId)
    const working = await done(key, "svc_update_session", { sessionId, progress: 40, planReport: "Find the hole." })
    assert.deepInclude(working, { progress: 40, planReport: "Find the hole." })
    const ended = await done(key, "svc_complete_session", { sessionId, verificationReport: "It is dry." })
    assert.deepInclude(ended, { status: "closed", progress: 100, planReport: "Find the hole." })
    const stranger = await pod.aKey(await pod.aPerson())
    await refused(stranger, "svc_update_session", { sessionId, progress: 1 })
    await refused(stranger, "svc_complete_session", { sessionId })
  })

  it("`svc_wait_for_answer` returns as soon as another person writes in the thread, with only the new message of that person", async () => {
    const posted = await done(key, "svc_post_message", { content: "Which tiles?", title: "Roof", workspaceId })
    // A message with a person's key counts as the person's own message, so a colleague must write the answer.
    const colleague = await aColleague(pod, storage, workspaceId, "editor", "tiler")
    const { threadId } = posted
    const waiting = call(key, "svc_wait_for_answer", { threadId, afterMessageId: posted.messageId, timeoutSeconds: 50 })
    const reply = await colleague.send("POST", `/api/hub/threads/${threadId}/messages`, {
      role: "user",
      content: "Red."
    })
    assert.strictEqual(reply.status, 200, JSON.stringify(reply.body))
    const { answer, isError, text } = await waiting
    assert.isFalse(isError, text)
    assert.isTrue(answer.answered)
    assert.deepStrictEqual(
      answer.messages.map(({ content }: { readonly content: string }) => content),
      ["Red."]
    )
  })

  it("`svc_wait_for_answer` returns without an answer when its timeout is over", async () => {
    const { threadId } = await done(key, "svc_post_message", { content: "Anybody?", title: "Silence" })
    const { answered, messages } = await done(key, "svc_wait_for_answer", { threadId, timeoutSeconds: 0 })
    assert.isFalse(answered)
    assert.deepStrictEqual(messages, [])
  })

  it("`svc_wait_for_answer` for a proposal returns as soon as a person decides on it, with the person's reason", async () => {
    const { proposalId } = await done(agent, "svc_capture", { content: "Another thought" })
    const waiting = call(agent, "svc_wait_for_answer", { proposalId, timeoutSeconds: 50 })
    const path = `/api/hub/proposals/${proposalId}/reject`
    const rejected = await pod.owner.send("POST", path, { reason: "Not now" })
    assert.strictEqual(rejected.status, 200, JSON.stringify(rejected.body))
    const { answer } = await waiting
    assert.deepInclude(answer, { answered: true })
    assert.deepInclude(answer.proposal, { status: "rejected", reason: "Not now" })
  })

  it("`svc_wait_for_answer` refuses a thread or a proposal that the caller may not read", async () => {
    const { threadId } = await done(key, "svc_post_message", { content: "Private", title: "Own" })
    const { proposalId } = await done(agent, "svc_capture", { content: "A private thought" })
    const stranger = await pod.aKey(await pod.aPerson())
    await refused(stranger, "svc_wait_for_answer", { threadId, timeoutSeconds: 0 })
    await refused(stranger, "svc_wait_for_answer", { proposalId, timeoutSeconds: 0 })
    await refused(stranger, "svc_post_message", { threadId, content: "let me in" })
  })

  it("one credential can have at most ten calls of `svc_wait_for_answer` at the same time, and a further call is refused", async () => {
    const { threadId } = await done(key, "svc_post_message", { content: "Crowd", title: "Crowd" })
    const many = Array.from({ length: 11 }, () => call(key, "svc_wait_for_answer", { threadId, timeoutSeconds: 50 }))
    const settled = Promise.allSettled(many)
    const first = await Promise.race(many).then(({ text }) => text, String)
    assert.include(first, "calls that wait")
    await pod.owner.send("POST", `/api/hub/threads/${threadId}/messages`, { role: "user", content: "own message" })
    const agentKey = await pod.aKey(pod.owner, {
      agentId: (await pod.owner.query("agents.list")).body.result.data[0].id
    })
    await done(agentKey, "svc_post_message", { threadId, content: "Go on" })
    const answered = (await settled).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
    assert.lengthOf(answered, 10)
    for (const { answer } of answered) assert.isTrue(answer.answered)
  })

  it("`svc_diagnose` shows a waiting proposal only to a caller who may read the proposal", async () => {
    const { proposalId } = await done(agent, "svc_capture", { content: "A thought that waits" })
    const stuck = await done(key, "svc_diagnose", { stuckThresholdHours: 0, type: "proposal", limit: 100 })
    assert.include(
      stuck.findings.map(({ id }: { readonly id: string }) => id),
      proposalId
    )
    assert.lengthOf((await done(key, "svc_diagnose", { id: proposalId, stuckThresholdHours: 0 })).findings, 1)
    assert.lengthOf((await done(key, "svc_diagnose", { id: proposalId })).findings, 0)
    const stranger = await pod.aKey(await pod.aPerson())
    assert.deepStrictEqual((await done(stranger, "svc_diagnose", { stuckThresholdHours: 0 })).findings, [])
    await refused(stranger, "svc_diagnose", { workspaceId })
  })

  it("the tool `svc_template_health` lists the parts of a template that were removed from the workspace", async () => {
    const adopted = await pod.aWorkspace(pod.owner, "Meetings")
    const answer = await pod.owner.send("POST", "/api/hub/pod/adopt", {
      workspaceId: adopted,
      templateSlug: "meeting-notes"
    })
    assert.isTrue(answer.body.complete, JSON.stringify(answer.body))
    const [whole] = (await done(key, "svc_template_health", { workspaceId: adopted })).workspaces
    assert.deepInclude(whole, { templateSlug: "meeting-notes", installedVersion: 1, drifted: false, missing: [] })
    assert.deepStrictEqual((await done(key, "svc_template_health", { driftedOnly: true })).workspaces, [])
    const view = answer.body.items.find(({ type }: { readonly type: string }) => type === "view")
    await pod.owner.send("DELETE", `/api/hub/views/${view.id}`)
    const [drifted] = (await done(key, "svc_template_health", { driftedOnly: true })).workspaces
    assert.deepInclude(drifted, { installedVersion: null, drifted: true, missing: [`view ${view.name}`] })
    const stranger = await pod.aKey(await pod.aPerson())
    assert.deepStrictEqual((await done(stranger, "svc_template_health")).workspaces, [])
    await refused(stranger, "svc_template_health", { workspaceId: adopted })
  })

  it("a key with a tool profile can list and call only the tools of this profile", async () => {
    const entry = await pod.aKey(pod.owner, { toolProfile: "entry" })
    const client = await mcpClients(() => pod)["SDK v2"](entry)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    await client.close()
    assert.sameMembers(names, [
      "svc_orient",
      "svc_ask",
      "svc_capture",
      "svc_start_session",
      "svc_update_session",
      "svc_complete_session",
      "svc_post_message",
      "svc_wait_for_answer"
    ])
    const text = await refused(entry, "svc_get_entities")
    assert.include(text, "entry")
    await done(entry, "svc_orient")
    const listed = (await pod.owner.query("apiKeys.list")).body.result.data
    assert.strictEqual(listed.find(({ id }: { readonly id: string }) => id === entry.id).toolProfile, "entry")
    const builder = await pod.aKey(pod.owner, { toolProfile: "builder" })
    await done(builder, "svc_get_entities")
    await refused(builder, "svc_recall", { query: "x" })
    const { body } = await pod.owner.mutate("apiKeys.rotate", { keyId: builder.id })
    const rotated = pod.as({ authorization: `Bearer ${body.result.data.key}` })
    await refused(rotated, "svc_recall", { query: "x" })
  })
})
