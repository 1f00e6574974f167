/**
 * Checks an HTTP request before its MCP messages are processed. Refuses addresses that are not allowed, secrets in the
 * URL, and bodies that cannot be read.
 */
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from "@modelcontextprotocol/server"
import { Predicate } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type BodyLimits, collect, isJson, isPlain, textOf } from "./Body.ts"
import { bodyMemoryBusy } from "./BodyMemory.ts"
import { depthMax, parseJson, tooManyValues } from "./Json.ts"
import { schemaFormOf, unknownForm } from "./McpStrictForm.ts"
import type { Fields } from "./McpTool.ts"
import { hasSecretIn, secretInUrl } from "./UrlSecrets.ts"
import { isLocalhost } from "../platform/Loopback.ts"
import { parsedUrl } from "../platform/ParsedUrl.ts"

/** The refusal of a whole request: an HTTP status, and a JSON-RPC error without an id. */
export interface McpRefusal {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The refusal of a request whose credential `identify` does not accept. */
export interface McpCallerRefused {
  readonly ok: false
  readonly status: 401 | 429 | 500 | 503
  /** The code `invalid_token` of RFC 6750, or a code that the pod defines. */
  readonly error: string
  readonly description: string
  readonly headers?: Readonly<Record<string, string>>
  /** Fields that the error has in addition to its code. */
  readonly data?: Readonly<Record<string, unknown>>
}

export interface McpAddresses {
  /**
   * Allowed host names without a port. `localhost` and its two addresses are always allowed. Write an IPv6 address in
   * brackets.
   */
  readonly allowedHosts: ReadonlyArray<string>
  /**
   * Allowed origins, such as `https://pod.example`. A request to `localhost` can also have an origin on `localhost`.
   */
  readonly allowedOrigins: ReadonlyArray<string>
}

// The code of the SDK for its own refusals. JSON-RPC lets servers define the codes -32000 to -32099.
export const serverError = -32_000

// This form is stricter than a URL parser, which would read `evil@localhost` and `localhost/x` as localhost.
const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/u

const hostName = (request: IncomingMessage): string | undefined => {
  const hosts = request.headersDistinct["host"] ?? []
  return hosts.length === 1 ? hostForm.exec(hosts[0]?.toLowerCase() ?? "")?.[1] : undefined
}

/**
 * True if the origin of a request is allowed. This is not called for a request without an origin, because only browsers
 * send an origin. The origin `null` is refused, because sandboxed pages and files have this origin, so any page can get
 * it.
 */
const isOriginAllowed = (origin: string, host: string, allowed: ReadonlyArray<string>): boolean => {
  const url = parsedUrl(origin)
  if (url === undefined || url.origin === "null") return false
  if (allowed.some((one) => parsedUrl(one)?.origin === url.origin)) return true
  return isLocalhost(host) && isLocalhost(url.hostname)
}

const queryIn = ({ url = "" }: IncomingMessage): string => {
  const start = url.indexOf("?")
  return start < 0 ? "" : url.slice(start + 1)
}

/**
 * Refuses addresses that are not allowed, and secrets in the URL. The status is 403 if the header `Host` is missing or
 * not allowed, or if the header `Origin` is `null` or not allowed. The status is 400 if the query contains a secret.
 */
export const refuseAddress = (request: IncomingMessage, addresses: McpAddresses): McpRefusal | undefined => {
  const host = hostName(request)
  if (host === undefined || !(isLocalhost(host) || addresses.allowedHosts.some((one) => one.toLowerCase() === host))) {
    return { status: 403, code: serverError, message: "This server does not accept the Host header of the request." }
  }
  const origin = request.headers.origin
  if (origin !== undefined && !isOriginAllowed(origin, host, addresses.allowedOrigins)) {
    return {
      status: 403,
      code: serverError,
      message:
        "Pages of this origin are not allowed to call this server. The operator can allow the origin in `POD_CORS_ORIGINS`."
    }
  }
  const query = queryIn(request)
  return hasSecretIn(query) ? { status: 400, code: INVALID_REQUEST, message: secretInUrl } : undefined
}

const quoteHeader = (text: string): string =>
  `"${text.replaceAll(/[\\"]/gu, "'").replaceAll(/[^\u0020-\u007E]/gu, " ")}"`

/**
 * Returns the challenge of RFC 6750 section 3. It has no `resource_metadata`, because this field would make clients
 * drop their key and start an OAuth sign-in.
 */
const challenge = (error: string, description: string): string =>
  `Bearer realm="pod", error=${quoteHeader(error)}, error_description=${quoteHeader(description)}`

// A batch can have at most this many messages, so that the work for one request is limited.
const batchMax = 20

const refuseMessages = (body: unknown): McpRefusal | undefined => {
  const invalid = (message: string): McpRefusal => ({ status: 400, code: INVALID_REQUEST, message })
  if (typeof body !== "object" || body === null) return invalid("The body is not a JSON-RPC message.")
  if (Array.isArray(body)) {
    if (body.length === 0) return invalid("The batch is empty.")
    if (body.length > batchMax)
      return invalid(`A batch may have at most ${batchMax} messages; this batch has ${body.length}.`)
    const ids = body.map((message: { readonly id?: unknown } | null) => message?.id).filter((id) => id !== undefined)
    // The SDK stores answers by message id. If two calls had the same id, both would run and one answer would be lost.
    if (new Set(ids).size < ids.length) return invalid("Two messages of the batch have the same id.")
  }
  return undefined
}

const isCancellation = (message: { readonly id?: unknown; readonly method?: unknown } | null) =>
  message?.method === "notifications/cancelled" && message.id === undefined

/**
 * Removes the cancellations from a batch that also has other messages. If the SDK read a cancellation, it would never
 * answer the cancelled request, and the stream of the batch would wait for this answer forever. The pod has no MCP
 * sessions, so a cancellation can only name a request of the same batch.
 */
export const withoutCancellations = (body: object): object => {
  if (!Array.isArray(body)) return body
  const remaining = body.filter((message) => !isCancellation(message))
  return remaining.length === 0 ? body : remaining
}

/**
 * Returns the arguments of the call with this id. The SDK copies arguments without the name `__proto__`, so the pod
 * could not refuse this name in the copy.
 */
export const argumentsIn = (body: object, id: unknown): Fields => {
  const messages: ReadonlyArray<unknown> = Array.isArray(body) ? body : [body]
  const message = messages.find((one): one is Fields => Predicate.isRecord(one) && one["id"] === id)
  const params = message?.["params"]
  const args = Predicate.isRecord(params) ? params["arguments"] : undefined
  return Predicate.isRecord(args) ? args : {}
}

// The arguments of a call are inside this many outer levels: the batch, the message and its field `params`.
const envelopeDepth = 3

/**
 * Reads the body. Checks in this order: the asked form of schemas (400), content type (415), size (413), JSON (400),
 * shape (400). Returns `gone` if the client disconnected before it sent the whole body.
 */
export const readMessages = async (
  request: IncomingMessage,
  limits: BodyLimits
): Promise<
  { readonly ok: true; readonly body: object } | { readonly ok: false; readonly refusal: McpRefusal } | "gone"
> => {
  const refuse = (status: number, code: number, message: string, headers: McpRefusal["headers"] = {}) =>
    ({ ok: false, refusal: { status, code, message, headers } }) as const
  if (schemaFormOf(queryIn(request)) === undefined) return refuse(400, INVALID_REQUEST, unknownForm)
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
  // `refuseMessages` refuses every body that is not an object.
  return refusal === undefined ? { ok: true, body: value as object } : { ok: false, refusal }
}

const refusalBody = (refusal: McpRefusal): string => {
  const { code, data, message } = refusal
  return JSON.stringify({ jsonrpc: "2.0", error: { code, message, ...(data && { data }) }, id: null })
}

/**
 * Sends the refusal of an MCP request, unless the client has disconnected. Keeps the headers that are already set on
 * the response.
 */
export const sendRefusal = (response: ServerResponse, refusal: McpRefusal): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(refusal.status, { "content-type": "application/json", ...refusal.headers })
  response.end(refusalBody(refusal))
}

/**
 * Makes the refusal for a credential that the pod does not accept. A refusal with status 401 contains the challenge,
 * which makes a client ask the person for another credential.
 */
export const credentialRefusal = (caller: McpCallerRefused): McpRefusal => {
  const { data, description, error, status } = caller
  return {
    status,
    // Clients of the earlier endpoint expect -32600 for a credential that is not valid, and -32000 for every other
    // refusal.
    code: status === 401 ? INVALID_REQUEST : serverError,
    message: description,
    data: { error, ...data },
    headers: { ...(status === 401 && { "www-authenticate": challenge(error, description) }), ...caller.headers }
  }
}

/** The refusal of every request while the pod stops. */
export const stoppingRefusal: McpRefusal = {
  status: 503,
  code: serverError,
  message: "The pod is stopping. Try again in a moment.",
  headers: { "retry-after": "1" }
}

/** The refusal of a request that failed because of an error in the pod. */
export const internalRefusal = (errorId: string): McpRefusal => ({
  status: 500,
  code: INTERNAL_ERROR,
  message: "Internal error.",
  data: { errorId }
})

/** Converts the refusal to a web `Response`, which the SDK needs. */
export const responseOf = (refusal: McpRefusal): Response =>
  new Response(refusalBody(refusal), {
    status: refusal.status,
    headers: { "content-type": "application/json", ...refusal.headers }
  })

/**
 * Waits for the first bytes of the answer, which is a stream. Until the pod sends these bytes, it can still change the
 * status of the answer to 401.
 */
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
