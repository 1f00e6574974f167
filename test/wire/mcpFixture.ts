/** A small MCP service on a real port, and raw requests to it in both protocol versions (2025 and 2026). */
import { createServer, request as httpRequest, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import type { McpCallerRefused } from "../../src/surfaces/McpGuard.ts"
import type { McpResult, McpTool } from "../../src/surfaces/McpTool.ts"
import type { McpCaller, McpService } from "../../src/surfaces/McpService.ts"
import { type McpSettings, serveMcp } from "../../src/surfaces/McpWire.ts"

export type Person = "reader" | "writer"

const hints = { title: "Notes", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const aTool = (name: string, more: Partial<McpTool> = {}): McpTool => ({
  name,
  title: name,
  description: `Does ${name}.`,
  inputSchema: { type: "object", properties: {} },
  annotations: hints,
  ...more
})

const readNotes = aTool("read_notes", {
  inputSchema: { type: "object", properties: { limit: { type: "integer", minimum: 1, maximum: 100 } } },
  outputSchema: {
    type: "object",
    properties: { items: { type: "array", items: { type: "object" } } },
    required: ["items"]
  }
})

const writeNote = aTool("write_note", { annotations: { ...hints, readOnlyHint: false } })

const bearer = (request: IncomingMessage): string | undefined =>
  /^Bearer (\S+)$/u.exec(request.headers.authorization ?? "")?.[1]

/** The calls that the service received, and switches that a test can set. */
export interface Recorded {
  readonly called: Array<{ readonly person: Person; readonly tool: string; readonly args: unknown }>
  readonly failures: Array<{ readonly errorId: string; readonly cause: unknown }>
  identified: number
  isRevoked: boolean
  /** Ends the tool `wait` with this result. The tool sets this function when it begins. */
  finishWait: (result: McpResult) => void
  /** Resolves when the tool `wait` has begun. */
  readonly waiting: Promise<AbortSignal>
}

export const revoked: McpCallerRefused = {
  ok: false,
  status: 401,
  error: "invalid_token",
  description: "the key was revoked"
}

const results: Record<string, (person: Person, args: Readonly<Record<string, unknown>>) => McpResult> = {
  read_notes: (_person, args) =>
    Number(args["limit"] ?? 1) > 100
      ? { kind: "refused", text: "limit: at most 100", data: { code: "INVALID_INPUT" } }
      : { kind: "answer", structured: { items: [{ id: "n1" }] } },
  write_note: (person) =>
    person === "writer"
      ? { kind: "answer", structured: { status: "created" } }
      : { kind: "refused", text: "This key needs notes.write.", data: { required: ["notes.write"] } },
  explode: () => {
    throw new Error("relation secret_table does not exist")
  },
  circle: () => {
    const circle: Record<string, unknown> = {}
    circle["self"] = circle
    return { kind: "answer", structured: circle }
  },
  die: () => ({ kind: "callerRefused", refusal: revoked })
}

const refusedCallers: Record<string, McpCaller<Person>> = {
  busy: { ok: false, status: 429, error: "rate_limited", description: "slow down", headers: { "retry-after": "7" } },
  own: { ok: false, status: 503, error: "unavailable", description: "no database", data: { mine: true } }
}

const aService = (recorded: Recorded, begin: (signal: AbortSignal) => void): McpService<Person> => ({
  identify: async (request) => {
    recorded.identified += 1
    const key = bearer(request)
    if (key === "broken") throw new Error("password authentication failed")
    if (key !== undefined && refusedCallers[key] !== undefined) return refusedCallers[key]
    const isKnown = (key === "reader" || key === "writer") && !recorded.isRevoked
    if (!isKnown) return { ok: false, status: 401, error: "invalid_token", description: 'no "such" key' }
    return { ok: true, caller: key }
  },
  tools: (person) => (person === "writer" ? [readNotes, writeNote] : [readNotes]),
  call: async (person, tool, args, { signal }) => {
    recorded.called.push({ person, tool, args })
    if (tool !== "wait") return results[tool]?.(person, args)
    return new Promise((resolve, reject) => {
      recorded.finishWait = resolve
      signal.addEventListener("abort", () => reject(new Error("aborted")))
      begin(signal)
    })
  }
})

/** Starts a server on a free port of 127.0.0.1. `close` ends the server and every connection. */
export const aServer = async (settings: Partial<McpSettings> = {}) => {
  let begin: (signal: AbortSignal) => void = () => undefined
  const waiting = new Promise<AbortSignal>((resolve) => {
    begin = resolve
  })
  const recorded: Recorded = {
    called: [],
    failures: [],
    identified: 0,
    isRevoked: false,
    finishWait: () => undefined,
    waiting
  }
  const endpoint = serveMcp(
    aService(recorded, (signal) => begin(signal)),
    {
      name: "pod",
      version: "1.2.3",
      description: "Keeps notes.",
      toolCount: 2,
      instructions: "Read before you write.",
      allowedHosts: ["pod.example"],
      allowedOrigins: ["https://pod.example"],
      maxBodyBytes: 1 << 20,
      onFailure: (failure) => recorded.failures.push(failure),
      ...settings
    }
  )
  const server = createServer((request, response) => {
    response.setHeader("x-request-id", "r-1")
    void endpoint.handle(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo // a listening TCP server always has an address with a port
  const close = async () => {
    await endpoint.close()
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  }
  return { url: `http://127.0.0.1:${port}/mcp`, port, endpoint, recorded, close }
}

export interface Ask {
  readonly key?: string | null
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly query?: string
  readonly signal?: AbortSignal
}

/**
 * Sends one request. A string body is sent unchanged. `messages` contains the messages of an SSE answer, or the body
 * of any other answer.
 */
export const ask = async (url: string, { body, headers, key = "reader", method = "POST", query = "", signal }: Ask) => {
  const response = await fetch(url + query, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(signal && { signal })
  })
  const text = await response.text()
  const type = response.headers.get("content-type") ?? ""
  const frames = type.startsWith("text/event-stream")
    ? text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []))
    : [text].filter((one) => one !== "")
  const messages = frames.map((frame) => JSON.parse(frame) as Message)
  return { status: response.status, type, headers: response.headers, text, messages, first: messages[0] }
}

export interface Message {
  readonly id?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> }
  readonly result?: {
    readonly isError?: boolean
    readonly tools?: ReadonlyArray<McpTool>
    readonly content?: ReadonlyArray<{ readonly type: string; readonly text: string }>
    readonly structuredContent?: unknown
    readonly [field: string]: unknown
  }
}

/** Returns the status of a request with this Host header. Uses `node:http`, because `fetch` cannot set the header. */
export const statusWithHost = (
  port: number,
  host: string,
  more: Record<string, string> = {}
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { host, ...more, authorization: "Bearer reader", "content-type": "application/json" }
    const request = httpRequest({ port, host: "127.0.0.1", path: "/mcp", method: "POST", headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.on("error", reject)
    request.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }))
  })

export const legacy = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params !== undefined && { params })
})

export const legacyCall = (tool: string, args: unknown = {}, id: unknown = 1) =>
  legacy("tools/call", { name: tool, arguments: args }, id)

const modernVersion = "2026-07-28"

/** Makes the headers and the body of a request of the MCP protocol revision 2026-07-28. */
export const modern = (method: string, params: Record<string, unknown> = {}, version = modernVersion) => ({
  headers: {
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(typeof params["name"] === "string" && { "mcp-name": params["name"] })
  },
  body: legacy(method, {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {}
    }
  })
})

export const modernCall = (tool: string, args: unknown = {}) => modern("tools/call", { name: tool, arguments: args })

export type Server = Awaited<ReturnType<typeof aServer>>
