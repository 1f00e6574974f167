/**
 * The first act of `npm run demo`. Over REST, the procedures and MCP, a key with a narrow grant reads exactly the
 * records that it may read. A revoked key reads nothing.
 */
import { request as httpRequest } from "node:http"

// The import sends this many requests at the same time.
const importsAtOnce = 8

const progress = (done, total) => {
  if (!process.stdout.isTTY) {
    if (done === total) process.stdout.write(`  imported ${total} documents\n`)
    return
  }
  const width = 40
  const filled = Math.round((done / total) * width)
  process.stdout.write(
    `\r  importing ${"█".repeat(filled)}${"░".repeat(width - filled)} ${done}/${total}${done === total ? "\n" : ""}`
  )
}

/**
 * Sends half of a write, waits until `between` is done, and sends the rest. Returns the status and the body of the
 * answer.
 */
const writeInTwoHalves = (base, headers, body, between) =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const half = Math.floor(text.length / 2)
    const sent = httpRequest(
      `${base}/api/hub/entities`,
      {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(text) }
      },
      (response) => {
        let answer = ""
        response.setEncoding("utf8")
        response.on("data", (part) => (answer += part))
        response.on("end", () => resolve({ status: response.statusCode, body: JSON.parse(answer) }))
      }
    )
    sent.on("error", reject)
    sent.write(text.slice(0, half), () => between().then(() => sent.end(text.slice(half)), reject))
  })

/**
 * Imports `documents` into two workspaces, and reads them with several kinds of keys. `call` sends a request, `me`
 * contains the person's headers, `mint` creates a key, `workspaceOf` creates a workspace, and `expect` adds a row to
 * the table. Returns the data that the next act needs.
 */
export const accessDemo = async ({ base, call, documents, expect, me, mint, workspaceOf }) => {
  const research = await workspaceOf("Research")
  const drafts = await workspaceOf("Drafts")
  const agent = (await call("POST", "/trpc/agents.create", me, { name: "Librarian" })).body.result.data

  // Half of the documents become knowledge entries in the workspace Research. A quarter become notes in Research. The
  // last quarter become knowledge entries in the workspace Drafts.
  const placed = documents.map((document, at) => ({
    ...document,
    ...(at % 2 === 0
      ? { workspaceId: research, profileSlug: "knowledge" }
      : at % 4 === 1
        ? { workspaceId: research, profileSlug: "note" }
        : { workspaceId: drafts, profileSlug: "knowledge" })
  }))
  const ids = []
  let next = 0
  await Promise.all(
    Array.from({ length: importsAtOnce }, async () => {
      while (next < placed.length) {
        const at = next++
        const { title, text, workspaceId, profileSlug } = placed[at]
        const made = await call("POST", "/api/hub/entities", me, {
          workspaceId,
          profileSlug,
          title: title.slice(0, 500),
          description: text
        })
        if (made.status !== 200) throw new Error(`import answered ${made.status}: ${JSON.stringify(made.body)}`)
        ids[at] = made.body.id
        progress(ids.filter((id) => id !== undefined).length, placed.length)
      }
    })
  )

  const scope = ["hub-protocol.read", "hub-protocol.write", "mcp.read"]
  const grant = { permissions: ["entity.knowledge.read"], workspaceIds: [research] }
  const key = await mint({ keyName: "Reader of research", scope, grant })
  const agentKey = await mint({ keyName: "Librarian", scope, grant: { permissions: ["*"] }, agentId: agent.id })
  const writer = await mint({ keyName: "Writer", scope, grant: { permissions: ["entity"], workspaceIds: [research] } })

  const within = placed.map((document, at) => ({ ...document, id: ids[at] }))
  const visible = within.filter(
    ({ workspaceId, profileSlug }) => workspaceId === research && profileSlug === "knowledge"
  )
  const seenBy = async (headers) => {
    const all = []
    for (let offset = 0; ; offset += 500) {
      const { body } = await call("GET", `/api/hub/entities?limit=500&offset=${offset}`, headers)
      all.push(...body)
      if (body.length < 500) return all
    }
  }
  const sameIds = (one, other) => {
    const left = new Set(one)
    return left.size === new Set(other).size && other.every((id) => left.has(id)) ? "exactly these" : "others"
  }

  const all = await seenBy(me)
  expect("REST: the owner sees everything", placed.length, all.length)
  const rest = await seenBy(key.headers)
  expect(
    "REST: the key sees the knowledge of Research",
    `${visible.length}, exactly these`,
    `${rest.length}, ${sameIds(
      rest.map(({ id }) => id),
      visible.map(({ id }) => id)
    )}`
  )
  const most = Math.min(1000, visible.length)
  const bridge = await call(
    "GET",
    `/api/hub/trpc/entities.getEntities?input=${encodeURIComponent(JSON.stringify({ limit: 1000 }))}`,
    key.headers
  )
  expect("bridge: the same", most, bridge.body.result.data.length)
  const mcp = await fetch(`${base}/mcp`, {
    method: "POST",
    headers: { ...key.headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "svc_get_entities", arguments: { limit: 1000 } }
    })
  })
  const frame = /^data: (\{.*)$/m.exec(await mcp.text())?.[1]
  expect("MCP: the same", most, JSON.parse(frame).result.structuredContent.entities.length)

  const note = within.find(({ profileSlug }) => profileSlug === "note")
  const elsewhere = within.find(({ workspaceId }) => workspaceId === drafts)
  const read = async (id) => (await call("GET", `/api/hub/entities/${id}`, key.headers)).status
  expect("a document it may read", 200, await read(visible[0].id))
  if (note !== undefined) expect("a note of the same workspace", 404, await read(note.id))
  if (elsewhere !== undefined) expect("knowledge of another workspace", 404, await read(elsewhere.id))
  expect("something that does not exist", 404, await read("00000000-0000-7000-8000-00000000dead"))
  const foreign = await call("GET", `/api/hub/entities?workspaceId=${drafts}`, key.headers)
  expect("another workspace by name", "403 WORKSPACE_FORBIDDEN", `${foreign.status} ${foreign.body.code}`)
  const door = await call("GET", "/api/hub/knowledge", key.headers)
  expect("a door its grant cannot bound", "403 GRANT_DOOR_UNSUPPORTED", `${door.status} ${door.body.code}`)
  const search = await call("GET", "/api/hub/entities?q=wing", key.headers)
  expect("full text with a narrow grant", "403 GRANT_DOOR_UNSUPPORTED", `${search.status} ${search.body.code}`)
  const write = await call("PATCH", `/api/hub/entities/${visible[0].id}`, key.headers, { title: "changed" })
  expect("a write outside the grant", "403 GRANT_DENIED", `${write.status} ${write.body.code}`)
  const agentWrite = await call("POST", "/api/hub/entities", agentKey.headers, { title: "by an agent" })
  expect(
    "a write of an agent without capabilities",
    "403 CAPABILITY_MISSING",
    `${agentWrite.status} ${agentWrite.body.code}`
  )
  expect("what the agent reads", placed.length, (await seenBy(agentKey.headers)).length)
  const session = await call("POST", "/trpc/apiKeys.create", key.headers, { keyName: "x", scope, grant })
  expect("a key that wants to make keys", 401, session.status)

  const before = (await seenBy(me)).length
  const cut = await writeInTwoHalves(
    base,
    writer.headers,
    { workspaceId: research, title: "half before, half after" },
    () => call("POST", "/trpc/apiKeys.revoke", me, { keyId: writer.id })
  )
  expect("a write revoked in its middle", "401 key_revoked", `${cut.status} ${cut.body.reason}`)
  expect("… and nothing of it stored", before, (await seenBy(me)).length)
  expect("the revoked key afterwards", 401, (await call("GET", "/api/hub/users/me", writer.headers)).status)

  const events = async (type) =>
    (await call("GET", `/trpc/events.list?input=${encodeURIComponent(JSON.stringify({ type, limit: 100 }))}`, me)).body
      .result.data.length
  expect("refusals in the event log", 5, await events("access.refused"))
  expect("revocations in the event log", 1, await events("apiKey.revoke"))

  return { agent, workspaceId: research, documents: visible.slice(0, 3) }
}
