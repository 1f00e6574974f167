/**
 * Checks a request before the MCP protocol begins. Refuses addresses that are not allowed, secrets in the URL, and
 * bodies that cannot be read.
 */
import { INVALID_REQUEST, PARSE_ERROR } from "@modelcontextprotocol/server"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type BodyLimits, collect, isJson, isPlain, textOf } from "./Body.ts"
import { bodyMemoryBusy } from "./BodyMemory.ts"
import { depthMax, parseJson, tooManyValues } from "./Json.ts"
import { hasSecretIn, secretInUrl } from "./UrlSecrets.ts"
import { parsedUrl } from "../platform/ParsedUrl.ts"

/** The refusal of a whole request: an HTTP status with a JSON-RPC error without an id. */
export interface McpRefusal {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The refusal that `identify` returns if it does not accept the credential of a request. */
export interface McpCallerRefused {
  readonly ok: false
  readonly status: 401 | 429 | 500 | 503
  /** The code: `invalid_token` of RFC 6750, or a code of the pod's own. */
  readonly error: string
  readonly description: string
  readonly headers?: Readonly<Record<string, string>>
  /** More fields in addition to the error code. */
  readonly data?: Readonly<Record<string, unknown>>
}

export interface McpAddresses {
  /** Allowed host names without port, in addition to the loopback names. An IPv6 address is in brackets. */
  readonly allowedHosts: ReadonlyArray<string>
  /** Allowed origins, such as `https://pod.example`. For requests over loopback, loopback origins are allowed too. */
  readonly allowedOrigins: ReadonlyArray<string>
}

export const serverError = -32_000 // JSON-RPC lets servers define the codes -32000 to -32099; the SDK uses this code for its own refusals

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

// This form is stricter than a URL parser, which would read `evil@localhost` and `localhost/x` as localhost.
const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/u

const hostName = (request: IncomingMessage): string | undefined => {
  const hosts = request.headersDistinct["host"] ?? []
  return hosts.length === 1 ? hostForm.exec(hosts[0]?.toLowerCase() ?? "")?.[1] : undefined
}

/**
 * Whether the origin of a request is allowed. Only browsers send an origin. The origin `null` is refused: sandboxed
 * pages and files have this origin, so any page can have it.
 */
const isOriginAllowed = (origin: string, host: string, allowed: ReadonlyArray<string>): boolean => {
  const url = parsedUrl(origin)
  if (url === undefined || url.origin === "null") return false
  if (allowed.some((one) => parsedUrl(one)?.origin === url.origin)) return true
  return loopback.has(host) && loopback.has(url.hostname)
}

/**
 * Refuses addresses that are not allowed, and secrets in the URL (attack 70 of the attack list). The status is 403 for
 * a Host that is missing or not allowed, and for an Origin that is `null` or not allowed. It is 400 for a secret in the
 * query.
 */
export const refuseAddress = (request: IncomingMessage, addresses: McpAddresses): McpRefusal | undefined => {
  const host = hostName(request)
  if (host === undefined || !(loopback.has(host) || addresses.allowedHosts.some((one) => one.toLowerCase() === host))) {
    return { status: 403, code: serverError, message: "This server does not accept the Host header of the request." }
  }
  const origin = request.headers.origin
  if (origin !== undefined && !isOriginAllowed(origin, host, addresses.allowedOrigins)) {
    return { status: 403, code: serverError, message: "Pages of this origin are not allowed to call this server." }
  }
  const url = request.url ?? ""
  const start = url.indexOf("?")
  if (start >= 0 && hasSecretIn(url.slice(start + 1))) {
    return { status: 400, code: INVALID_REQUEST, message: secretInUrl }
  }
  return undefined
}

const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/gu, "'").replaceAll(/[^\u0020-\u007E]/gu, " ")}"`

/**
 * The challenge of RFC 6750 section 3. It has no `resource_metadata`. With this field, clients would drop their key and
 * start an OAuth sign-in.
 */
const challenge = (error: string, description: string): string =>
  `Bearer realm="pod", error=${quoted(error)}, error_description=${quoted(description)}`

const batchMax = 20 // most messages in a batch, so that the work for one request is limited

const refuseMessages = (body: unknown): McpRefusal | undefined => {
  const invalid = (message: string): McpRefusal => ({ status: 400, code: INVALID_REQUEST, message })
  if (typeof body !== "object" || body === null) return invalid("The body is not a JSON-RPC message.")
  if (Array.isArray(body)) {
    if (body.length === 0) return invalid("The batch is empty.")
    if (body.length > batchMax)
      return invalid(`A batch may have at most ${batchMax} messages; this batch has ${body.length}.`)
    const ids = body.map((message: { readonly id?: unknown } | null) => message?.id).filter((id) => id !== undefined)
    // The SDK stores answers by id. If two calls had the same id, both would run and one answer would be lost.
    if (new Set(ids).size < ids.length) return invalid("Two messages of the batch have the same id.")
  }
  return undefined
}

const isCancellation = (message: { readonly id?: unknown; readonly method?: unknown } | null) =>
  message?.method === "notifications/cancelled" && message.id === undefined

/**
 * Removes the cancellations from a batch that also has other messages. If the SDK read them, it would never send the
 * answer of the cancelled request, and its stream would wait for this answer. The pod has no sessions, so a
 * cancellation could only name a request of the same batch.
 */
export const withoutCancellations = (body: object): object => {
  if (!Array.isArray(body)) return body
  const kept = body.filter((message) => !isCancellation(message))
  return kept.length === 0 ? body : kept
}

const envelopeDepth = 3 // nested levels around the arguments of a call: the batch, the message and its params

/**
 * Reads the body and checks it in this order: content type (415), size (413), JSON (400), shape (400). Returns `gone`
 * if the client disconnected before the end.
 */
export const readMessages = async (
  request: IncomingMessage,
  limits: BodyLimits
): Promise<
  { readonly ok: true; readonly body: object } | { readonly ok: false; readonly refusal: McpRefusal } | "gone"
> => {
  const refuse = (status: number, code: number, message: string, headers: McpRefusal["headers"] = {}) =>
    ({ ok: false, refusal: { status, code, message, headers } }) as const
  if (!isJson(request.headers["content-type"]) || !isPlain(request)) {
    return refuse(415, serverError, "Send the body as application/json, without compression.")
  }
  const refuseBusy = () =>
    refuse(503, serverError, bodyMemoryBusy.why, {
      "retry-after": String(bodyMemoryBusy.retryAfterSeconds),
      connection: "close"
    })
  const bytes = await collect(request, limits)
  if (bytes === "gone") return bytes
  if (bytes === "tooLarge") {
    return refuse(
      413,
      serverError,
      `The body of the request is larger than ${limits.limitBytes} bytes. Send a smaller body.`,
      { connection: "close" }
    )
  }
  if (bytes === "busy") return refuseBusy()
  const text = textOf(bytes) ?? ""
  const parsed = parseJson(
    text,
    depthMax + envelopeDepth,
    (values) => limits.memory?.admitValues(request, values) ?? true
  )
  switch (parsed) {
    case "deep":
      return refuse(400, INVALID_REQUEST, `The message has more than ${depthMax} levels of nesting.`)
    case "many":
      return refuse(413, serverError, tooManyValues)
    case "busy":
      return refuseBusy()
    case "broken":
      return refuse(400, PARSE_ERROR, "The body of the request is not valid JSON in UTF-8.")
  }
  const { value } = parsed
  const refusal = refuseMessages(value)
  return refusal === undefined ? { ok: true, body: value as object } : { ok: false, refusal } // only objects pass
}

const refusalBody = (refusal: McpRefusal): string => {
  const { code, data, message } = refusal
  return JSON.stringify({ jsonrpc: "2.0", error: { code, message, ...(data && { data }) }, id: null })
}

/** Sends the refusal, unless the client has disconnected. Headers that are already set on the response stay. */
export const sendRefusal = (response: ServerResponse, refusal: McpRefusal): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(refusal.status, { "content-type": "application/json", ...refusal.headers })
  response.end(refusalBody(refusal))
}

/** The refusal of a credential. It contains the challenge that makes a client ask for another credential. */
export const credentialRefusal = (caller: McpCallerRefused): McpRefusal => {
  const { data, description, error, status } = caller
  return {
    status,
    // Clients of the earlier endpoint expect -32600 for a bad key and -32000 for all other refusals (compatibility
    // 16.1).
    code: status === 401 ? INVALID_REQUEST : serverError,
    message: description,
    data: { error, ...data },
    headers: { ...(status === 401 && { "www-authenticate": challenge(error, description) }), ...caller.headers }
  }
}

/** The refusal while the process stops. */
export const stoppingRefusal: McpRefusal = {
  status: 503,
  code: serverError,
  message: "The pod is stopping. Try again in a moment.",
  headers: { "retry-after": "1" }
}

/** The refusal as a web `Response`, for the SDK. */
export const responseOf = (refusal: McpRefusal): Response =>
  new Response(refusalBody(refusal), {
    status: refusal.status,
    headers: { "content-type": "application/json", ...refusal.headers }
  })

/** Waits for the first bytes of a stream. Until they are sent, the status of the response can still become 401. */
export const awaitFirstBytes = async (response: Response): Promise<Response> => {
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
