/**
 * The floor: a minimal server with which a benchmark compares the pod. It serves the measured routes of the pod with
 * only `node:http`, `pg` and named statements, and does nothing else.
 */
import { PGlite } from "@electric-sql/pglite"
import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import pg from "pg"
import { engineOf } from "../src/platform/EmbeddedEngine.ts"
import { uuidv7 } from "../src/platform/Ids.ts"
import * as Sql from "./floorSql.ts"
import * as Wire from "./floorWire.ts"

// The folder of an embedded database. If it is set, the minimal server uses this database instead of a PostgreSQL
// server.
const folder = process.env["FLOOR_DATABASE_FOLDER"]
const address = {
  connectionString: process.env["FLOOR_DATABASE_URL"] ?? "",
  // The pod sets the same option on its connections.
  options: "-c plan_cache_mode=force_generic_plan"
}

/**
 * Sends statements to the embedded engine in the same way as the pod: by name, on the only connection, with all
 * messages in one call.
 */
const embeddedPool = async (dataDir: string) => {
  const lite = await PGlite.create({ dataDir })
  await lite.exec("SET plan_cache_mode = force_generic_plan")
  const { Client } = engineOf(lite, { reopen: undefined, folder: dataDir, onSqlState: () => {} })
  return new pg.Pool({ Client, max: 1 })
}

const pool = folder === undefined ? new pg.Pool({ ...address, max: 10 }) : await embeddedPool(folder)
const lanes = Array.from(
  { length: Number(process.env["FLOOR_LANES"] ?? 0) },
  () => new pg.Client({ ...address, pipeline: true })
)
await Promise.all(lanes.map((lane) => lane.connect()))
let turn = 0
const nextConnection = () => (lanes.length === 0 ? pool : lanes[turn++ % lanes.length])
const pepper = process.env["FLOOR_PEPPER"]!

const hashOf = (request: IncomingMessage): Buffer =>
  createHmac("sha256", pepper).update(request.headers.authorization!.slice("Bearer ".length)).digest()

const send = (response: ServerResponse, status: number, body: unknown) => {
  const text = JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
  response.end(text)
}

const sendEvent = (response: ServerResponse, body: unknown) => {
  const text = `event: message\ndata: ${JSON.stringify(body)}\n\n`
  response.writeHead(200, { "content-type": "text/event-stream", "content-length": Buffer.byteLength(text) })
  response.end(text)
}

const bodyOf = (request: IncomingMessage): Promise<Wire.Row> =>
  new Promise((resolve, reject) => {
    let text = ""
    request.setEncoding("utf8")
    request.on("data", (part: string) => (text += part))
    request.on("end", () => resolve(JSON.parse(text) as Wire.Row))
    request.on("error", reject)
  })

const statement = (name: string, text: string) => async (values: ReadonlyArray<unknown>) =>
  (await nextConnection().query<Wire.Row>({ name, text, values: [...values] })).rows

const statements = {
  get: statement("get", Sql.getEntity),
  list: statement("list", Sql.listEntities("hub-protocol.read")),
  listForTool: statement("list_tool", Sql.listEntities("mcp.read")),
  status: statement("status", Sql.keyStatus),
  create: statement("create", Sql.createEntity),
  append: statement("append", Sql.appendEvent)
}

/**
 * Returns the rows that the key may see, from the rows of a statement. Without a valid key, the statement gives no row,
 * and the result is undefined. If the key may see nothing, the statement gives one row of nulls, and the result is
 * empty.
 */
const visible = (rows: ReadonlyArray<Wire.Row>) => (rows.length === 0 ? undefined : rows[0]["id"] === null ? [] : rows)

const unauthorized = { error: "unauthorized" }

const get = async (request: IncomingMessage, response: ServerResponse, id: string) => {
  const found = visible(await statements.get([hashOf(request), id]))
  if (found === undefined) send(response, 401, unauthorized)
  else if (found.length === 0)
    send(response, 404, { error: "There is no such entity, or this credential has no access to it." })
  else send(response, 200, Wire.entity(found[0]))
}

const list = async (request: IncomingMessage, response: ServerResponse, search: string) => {
  const limit = Number(new URLSearchParams(search).get("limit") ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) return send(response, 400, { error: "limit" })
  const found = visible(await statements.list([hashOf(request), limit + 1]))
  if (found === undefined) return send(response, 401, unauthorized)
  const cursor = Wire.cursorOf(found, limit)
  if (cursor !== undefined) response.setHeader("x-svc-next-cursor", cursor)
  send(response, 200, found.slice(0, limit).map(Wire.entity))
}

const status = async (request: IncomingMessage, response: ServerResponse) => {
  const [row] = await statements.status([hashOf(request)])
  if (row === undefined) send(response, 401, unauthorized)
  else send(response, 200, Wire.keyStatus(row))
}

const create = async (request: IncomingMessage, response: ServerResponse) => {
  const draft = await bodyOf(request)
  const { description = null, preview, profileSlug = "note", properties = {}, title, workspaceId = null } = draft
  if (typeof title !== "string" || title === "" || title.length > 500) return send(response, 400, { error: "title" })
  const found = visible(
    await statements.create([
      hashOf(request),
      uuidv7(),
      workspaceId,
      profileSlug,
      title,
      preview ?? description?.slice(0, 280) ?? null,
      description,
      JSON.stringify(properties),
      uuidv7(),
      `entity.${profileSlug}.create`,
      JSON.stringify({ profileSlug, title }),
      uuidv7(),
      JSON.stringify(Wire.decisionOn(`entity.${profileSlug}.create`))
    ])
  )
  if (found === undefined) send(response, 401, unauthorized)
  else if (found.length === 0) send(response, 403, { error: "forbidden" })
  else send(response, 200, Wire.created(found[0]))
}

const append = async (request: IncomingMessage, response: ServerResponse) => {
  const sent = await bodyOf(request)
  if (typeof sent["type"] !== "string" || sent["type"] === "") return send(response, 400, { error: "type" })
  const id = uuidv7()
  const requestId = uuidv7()
  const [row] = await statements.append([
    hashOf(request),
    sent["workspaceId"] ?? null,
    id,
    sent["type"],
    JSON.stringify(sent["data"] ?? {}),
    sent["subjectId"] ?? null,
    sent["source"] ?? "api",
    requestId,
    JSON.stringify(Wire.decisionOn("event.create"))
  ])
  if (row === undefined) send(response, 401, unauthorized)
  else if (row["seq"] === null) send(response, 403, { error: "forbidden" })
  else send(response, 200, { result: { data: Wire.event(row, sent, id, requestId) } })
}

const callTool = async (request: IncomingMessage, response: ServerResponse) => {
  const { id, method, params } = await bodyOf(request)
  if (method !== "tools/call" || params.name !== "svc_get_entities") {
    return send(response, 400, { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } })
  }
  const limit = params.arguments.limit ?? 50
  const found = visible(await statements.listForTool([hashOf(request), limit + 1]))
  if (found === undefined) return send(response, 401, unauthorized)
  const nextCursor = Wire.cursorOf(found, limit)
  const entities = found.slice(0, limit).map(Wire.lean)
  const structuredContent = { entities, ...(nextCursor === undefined ? {} : { nextCursor }) }
  const content = [{ type: "text", text: JSON.stringify(structuredContent) }]
  sendEvent(response, { jsonrpc: "2.0", id, result: { content, structuredContent } })
}

const hub = "/api/hub"

const route = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
  const url = request.url!
  const mark = url.indexOf("?")
  const path = mark === -1 ? url : url.slice(0, mark)
  if (path === "/livez") return send(response, 200, { status: "alive", timestamp: new Date().toISOString() })
  if (path === "/mcp") return callTool(request, response)
  if (path === `${hub}/auth/status`) return status(request, response)
  if (path === `${hub}/trpc/events.log`) return append(request, response)
  if (path === `${hub}/entities`) {
    return request.method === "POST" ? create(request, response) : list(request, response, url.slice(mark + 1))
  }
  if (path.startsWith(`${hub}/entities/`)) return get(request, response, path.slice(hub.length + "/entities/".length))
  return send(response, 404, { error: "There is no such route." })
}

const server = createServer((request, response) => {
  route(request, response).catch((cause: unknown) => {
    process.stderr.write(`${String(cause)}\n`)
    send(response, 500, { error: "ServerError" })
  })
})
server.keepAliveTimeout = 65_000
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ msg: "ready", port: (server.address() as AddressInfo).port })}\n`)
})
process.on("SIGTERM", () => process.exit(0))
