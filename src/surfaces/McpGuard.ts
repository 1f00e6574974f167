/** What the MCP endpoint refuses before the protocol begins: foreign addresses, secrets in the URL, unreadable bodies. */
import { INVALID_REQUEST, isJsonContentType, PARSE_ERROR } from "@modelcontextprotocol/server"
import type { IncomingMessage, ServerResponse } from "node:http"

/** A request turned away: an HTTP status around a JSON-RPC error without an id. */
export interface McpRefusal {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the JSON-RPC error when the caller brings its own. */
  readonly body?: unknown
}

/** What `identify` says of a credential that does not open. */
export interface McpCallerRefused {
  readonly ok: false
  readonly status: 401 | 403 | 429 | 503
  /** The code of RFC 6750: `invalid_token`, `insufficient_scope`, or one of our own. */
  readonly error: string
  readonly description: string
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the JSON-RPC error body. */
  readonly body?: unknown
}

export interface McpAddresses {
  /** Host names without port, beside the loopback names; IPv6 in brackets. */
  readonly allowedHosts: ReadonlyArray<string>
  /** Whole origins (`https://pod.example`), beside loopback origins when the request itself came over loopback. */
  readonly allowedOrigins: ReadonlyArray<string>
}

export const serverError = -32_000 // JSON-RPC leaves -32000 to -32099 to the server; the SDK answers its own refusals with it

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

// Stricter than a URL parser, which reads `evil@localhost` and `localhost/x` as localhost.
const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/u

const hostName = (request: IncomingMessage): string | undefined => {
  const hosts = request.headersDistinct["host"] ?? []
  return hosts.length === 1 ? hostForm.exec(hosts[0]?.toLowerCase() ?? "")?.[1] : undefined
}

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/** A browser names its origin, other clients do not; `null` is the origin of sandboxed pages and files, so of anyone. */
const isOriginAllowed = (origin: string, host: string, allowed: ReadonlyArray<string>): boolean => {
  const url = parseUrl(origin)
  if (url === undefined || url.origin === "null") return false
  if (allowed.some((one) => parseUrl(one)?.origin === url.origin)) return true
  return loopback.has(host) && loopback.has(url.hostname)
}

// Compared without case, `-` and `_`. A URL lands in logs and histories, so a secret in it is spent even when it is right.
const secretNames: ReadonlySet<string> = new Set([
  "key",
  "apikey",
  "accesskey",
  "token",
  "accesstoken",
  "authtoken",
  "bearer",
  "authorization",
  "secret"
])

const hasSecretInUrl = (target: string): boolean => {
  const start = target.indexOf("?")
  if (start < 0) return false
  const names = [...new URLSearchParams(target.slice(start + 1)).keys()]
  return names.some((name) => secretNames.has(name.toLowerCase().replaceAll(/[-_]/gu, "")))
}

/** Attack list 70: a foreign or missing Host, a foreign or `null` Origin → 403; a secret in the query → 400. */
export const refuseAddress = (request: IncomingMessage, addresses: McpAddresses): McpRefusal | undefined => {
  const host = hostName(request)
  if (host === undefined || !(loopback.has(host) || addresses.allowedHosts.some((one) => one.toLowerCase() === host))) {
    return { status: 403, code: serverError, message: "This server does not answer to that Host." }
  }
  const origin = request.headers.origin
  if (origin !== undefined && !isOriginAllowed(origin, host, addresses.allowedOrigins)) {
    return { status: 403, code: serverError, message: "This Origin may not call this server." }
  }
  if (hasSecretInUrl(request.url ?? "")) {
    const message = "Send the key in the Authorization header, never in the URL; replace the key that was sent here."
    return { status: 400, code: INVALID_REQUEST, message }
  }
  return undefined
}

const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/gu, "'").replaceAll(/[^\u0020-\u007E]/gu, " ")}"`

/** RFC 6750 section 3. Without `resource_metadata`: naming it makes clients drop their key and start an OAuth sign-in. */
const challenge = (error: string, description: string): string =>
  `Bearer realm="pod", error=${quoted(error)}, error_description=${quoted(description)}`

const nestingMax = 64 // levels; deeper is no tool argument, and recursion over it would exhaust the stack

/** Walks with its own stack, because the value it judges is the one that overflows a recursion. */
const isTooDeep = (value: unknown): boolean => {
  const open: Array<{ readonly value: unknown; readonly depth: number }> = [{ value, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue
    if (next.depth >= nestingMax) return true
    for (const child of Object.values(next.value)) open.push({ value: child, depth: next.depth + 1 })
  }
  return false
}

const unstorable = /[\u0000\p{Surrogate}]/u // with the u flag only a surrogate without its pair matches

/**
 * The path of the first text that PostgreSQL and UTF-8 cannot hold (NUL, half of a surrogate pair), or undefined.
 * In: arguments of at most `nestingMax` levels.
 */
export const findUnstorable = (value: unknown, path = "arguments"): string | undefined => {
  if (typeof value === "string") return unstorable.test(value) ? path.slice(0, 200) : undefined
  if (typeof value !== "object" || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    if (unstorable.test(key)) return `A property name in ${path.slice(0, 200)}`
    const found = findUnstorable(child, `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

const batchMax = 20 // messages; one request stays a bounded piece of work

const refuseMessages = (body: unknown): McpRefusal | undefined => {
  const invalid = (message: string): McpRefusal => ({ status: 400, code: INVALID_REQUEST, message })
  if (typeof body !== "object" || body === null) return invalid("The body is not a JSON-RPC message.")
  if (Array.isArray(body)) {
    if (body.length === 0) return invalid("The batch is empty.")
    if (body.length > batchMax)
      return invalid(`A batch holds at most ${batchMax} messages; this one has ${body.length}.`)
    const ids = body.map((message: { readonly id?: unknown } | null) => message?.id).filter((id) => id !== undefined)
    // The SDK keeps answers by id: of two calls with one id, both would run and one answer would be lost.
    if (new Set(ids).size < ids.length) return invalid("Two messages of the batch have the same id.")
  }
  return isTooDeep(body) ? invalid(`The message is nested deeper than ${nestingMax} levels.`) : undefined
}

/** Undefined when more than `maxBytes` arrive. Rejects when the client leaves in the middle. */
const collect = async (request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> => {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return undefined
  const chunks: Array<Buffer> = []
  let sizeBytes = 0
  // A loop that leaves early must not destroy the socket: the 413 still has to travel over it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Content type 415, size 413, JSON 400, shape 400, in that order; rejects when the client leaves in the middle. */
export const readMessages = async (
  request: IncomingMessage,
  maxBytes: number
): Promise<{ readonly ok: true; readonly body: object } | { readonly ok: false; readonly refusal: McpRefusal }> => {
  const refuse = (refusal: McpRefusal) => ({ ok: false, refusal }) as const
  const encoding = request.headers["content-encoding"] ?? "identity"
  if (!isJsonContentType(request.headers["content-type"] ?? null) || encoding !== "identity") {
    return refuse({ status: 415, code: serverError, message: "Send application/json, not compressed." })
  }
  const bytes = await collect(request, maxBytes)
  if (bytes === undefined) {
    const message = `The body is larger than ${maxBytes} bytes.`
    return refuse({ status: 413, code: serverError, message, headers: { connection: "close" } })
  }
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return refuse({ status: 400, code: PARSE_ERROR, message: "The body is not JSON in UTF-8." })
  }
  const refusal = refuseMessages(body)
  return refusal === undefined ? { ok: true, body: body as object } : refuse(refusal) // refuseMessages let only objects pass
}

const refusalBody = (refusal: McpRefusal): string => {
  const { body, code, data, message } = refusal
  return JSON.stringify(body ?? { jsonrpc: "2.0", error: { code, message, ...(data && { data }) }, id: null })
}

/** Answers with the refusal, unless nobody is left; headers already set on the response stay. */
export const sendRefusal = (response: ServerResponse, refusal: McpRefusal): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(refusal.status, { "content-type": "application/json", ...refusal.headers })
  response.end(refusalBody(refusal))
}

/** The refusal of a credential, with the challenge that makes a client ask for another. */
export const refusalOf = (caller: McpCallerRefused): McpRefusal => {
  const { body, description, error, status } = caller
  const isChallenge = status === 401 || status === 403
  return {
    status,
    // Clients of the earlier endpoint read -32600 for a bad key and -32000 for the rest (compatibility 16.1).
    code: status === 401 ? INVALID_REQUEST : serverError,
    message: description,
    data: { error },
    headers: { ...(isChallenge && { "www-authenticate": challenge(error, description) }), ...caller.headers },
    ...(body !== undefined && { body })
  }
}

/** What is said while the process stops. */
export const closing: McpRefusal = {
  status: 503,
  code: serverError,
  message: "The server is stopping; try again in a moment.",
  headers: { "retry-after": "1" }
}

/** The refusal as the SDK's side of the wire writes it. */
export const responseOf = (refusal: McpRefusal): Response =>
  new Response(refusalBody(refusal), {
    status: refusal.status,
    headers: { "content-type": "application/json", ...refusal.headers }
  })

/** Waits for the first bytes of a stream, because until then the status can still become 401. */
export const begin = async (response: Response): Promise<Response> => {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
  if (response.body === null || !isStream) return response
  const reader = response.body.getReader()
  let next: ReturnType<typeof reader.read> | undefined = reader.read()
  await next
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const part = await (next ?? reader.read())
      next = undefined
      if (part.done) controller.close()
      else controller.enqueue(part.value)
    },
    cancel: (reason) => reader.cancel(reason)
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
