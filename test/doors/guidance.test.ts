/**
 * Checks that a refusal says what the caller's key lacks, and contains a link to a form. In this form a person can make
 * a key that may do the refused call.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { mcp } from "./surfaces.ts"

let pod: TestPod
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
})
afterAll(() => pod?.stop())

const refused = async (caller: Caller, method: string, path: string, body?: object) => {
  const answer = await caller.send(method, path, body)
  assert.strictEqual(answer.status, 403, JSON.stringify(answer.body))
  return answer
}

/** Returns the values that a link fills into the form. */
const formOf = (fix: string) => {
  const { pathname, searchParams } = new URL(fix)
  assert.strictEqual(pathname, "/admin/keys/new")
  return Object.fromEntries(searchParams)
}

describe("the advice and the link in a refusal", () => {
  it("a request without a valid credential gets a refusal that contains no advice and no link to a form for a new key", async () => {
    const { body } = await pod.as({ authorization: "Bearer svc_user_unknown" }).send("GET", "/api/hub/entities")
    assert.deepStrictEqual(Object.keys(body).sort(), ["docs", "error", "message", "reason"])
  })

  it("if a key lacks a scope, the refusal has a link to a form that copies the key and adds this scope", async () => {
    const key = await pod.aKey(pod.owner, { scope: ["mcp.read"] })
    const { body, headers } = await refused(key, "GET", "/api/hub/entities")
    assert.strictEqual(body.code, "SCOPE_MISSING")
    assert.strictEqual(body.error, "This operation needs the scope hub-protocol.read.")
    assert.strictEqual(body.why, "The operation needs the scope hub-protocol.read, but the key has the scope mcp.read.")
    assert.deepStrictEqual([body.alternatives, body.retryable], [[], false])
    assert.strictEqual(body.requestId, headers.get("x-request-id"))
    const { from, ...form } = formOf(body.fix)
    assert.strictEqual(from, key.id)
    assert.deepStrictEqual(form, { scopes: "mcp.read,hub-protocol.read" })
  })

  it("if a key lacks a permission, the refusal has a link to a form that copies the key and adds this permission", async () => {
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
    const draft = { profileSlug: "note", title: "Words" }
    const { body } = await refused(key, "POST", "/api/hub/entities", draft)
    assert.strictEqual(body.code, "GRANT_DENIED")
    assert.deepStrictEqual(formOf(body.fix), { from: key.id, permissions: body.required.join(",") })
    assert.include(body.why, "the key has the permission entity.note.read.")
  })

  it("if an operation cannot respect the limits of a key, the refusal has a link to a form for a key without these limits", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner)
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity"], workspaceIds: [workspaceId] } })
    const { body } = await refused(key, "GET", "/api/hub/documents")
    assert.strictEqual(body.code, "GRANT_DOOR_UNSUPPORTED")
    assert.notProperty(formOf(body.fix), "from")
    assert.notInclude(body.fix, workspaceId)
    assert.include(formOf(body.fix)["permissions"], "entity")
  })

  it("if an operation that reads several kinds of record refuses a key, the refusal lists permissions with which a key can call the operation", async () => {
    const question = { query: "where is the spare key?" }
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
    const { body } = await refused(key, "POST", "/api/hub/knowledge/search", question)
    const permissions: ReadonlyArray<string> = body.required
    assert.isAbove(permissions.length, 1)
    assert.include(body.error, `Use a key with the permissions ${permissions.map((one) => `\`${one}\``).join(", ")}`)
    const wider = await pod.aKey(pod.owner, { grant: { permissions } })
    assert.strictEqual((await wider.send("POST", "/api/hub/knowledge/search", question)).status, 200)
  })

  it("if a key has the needed permission only for another workspace, the refusal has no link to a form for a new key", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner)
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
    const { body } = await refused(key, "POST", "/api/hub/entities", { profileSlug: "note", title: "Words" })
    assert.strictEqual(body.code, "GRANT_DENIED")
    assert.notProperty(body, "fix")
    assert.include(body.why, "is limited to other workspaces, projects or records.")
  })

  it("procedures, tools and the endpoints for OpenAI clients give the same advice in a refusal as REST", async () => {
    const key = await pod.aKey(pod.owner, { scope: ["mcp.read"] })
    const from = key.id
    const { data } = (await key.query("relations.listTypes")).body.error
    assert.deepStrictEqual([formOf(data.fix)["from"], data.retryable, data.alternatives], [from, false, []])
    assert.include(data.why, "hub-protocol.read")
    const { message } = await mcp(key, "tools/call", { name: "svc_create_entity", arguments: { title: "Words" } })
    const [sentence, fields] = message.result?.content ?? []
    const guidance = JSON.parse(fields?.text ?? "{}")
    assert.include(sentence?.text, `A person can create such a key here: ${guidance.fix}`)
    assert.deepStrictEqual(formOf(guidance.fix), { from, scopes: "mcp.read,mcp.write" })
    const { error } = (await refused(key, "POST", "/v1/chat/completions", { messages: [] })).body
    assert.deepStrictEqual(formOf(error.fix), { from, scopes: "mcp.read,chat.stream" })
    assert.isString(error.requestId)
  })
})
