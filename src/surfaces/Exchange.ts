/**
 * One request and its response, with the client's address, the path and the request id. REST, tRPC, MCP and the console
 * get requests in this form.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http"
import { Either, type Tracer } from "effect"
import type { Outcome } from "../doors/Call.ts"
import { dialectOf, wireAnswerIn } from "../doors/Dialect.ts"
import type { Failure } from "../doors/Failure.ts"
import type { PresentedCredential, Principal } from "../doors/Principal.ts"
import { type Allowance, allowanceHeaders } from "../doors/RateLimit.ts"
import type { RawText } from "../doors/RawText.ts"
import type { Client } from "../doors/Reach.ts"
import { nearExpiry } from "../features/keys/Key.ts"
import { uuidv7 } from "../platform/Ids.ts"
import { endWithText } from "./EndWithText.ts"
import { noteIgnored } from "./Prefer.ts"

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The path before `?`, exactly as the client sent it. */
  readonly path: string
  /** The text after `?`. Empty if the address has no `?`. */
  readonly search: string
  readonly requestId: string
  /** The credential that the client sent. The pod reads the credential and computes its hash only once. */
  readonly presented: PresentedCredential
  readonly client: Client
  readonly note: RequestNote
  /** The span of the request. Undefined if spans are not collected. */
  readonly span?: Tracer.Span | undefined
  /** The server aborts this signal when it begins to stop. Streams and other long answers end then. */
  readonly stopping: AbortSignal
}

/**
 * Facts that the code of REST, tRPC and MCP notes about a request while it serves the request. The access log and the
 * records of the use of keys read them.
 */
export interface RequestNote {
  /**
   * The path template of the operation. For tRPC and MCP, the base path with the names of the called operations. The
   * route never contains an id.
   */
  route: string
  credentialId: string | undefined
  /**
   * The id of the key that the request sent. Also set if the pod refused the key because the key is revoked or has
   * expired.
   */
  keyId?: string
  /** The name and version that an MCP client states about itself, such as `claude-code/2.1.0`. */
  clientName?: string
  /**
   * Why the pod refused the request or failed to serve it. For a request with several calls, the failure of the first
   * call that failed.
   */
  failure?: Failure
  /** The id of the proposal that a call of the request became. If there are several, the first. */
  proposalId?: string
  /** For a stream: how many events were sent, and why it ended. */
  stream?: { readonly events: number; readonly ended: string }
}

// A request id appears in logs and events. So a text that looks like a key is not accepted as a request id.
const idForm = /^(?!svc_)[A-Za-z0-9._:-]{1,128}$/
const traceForm = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/**
 * Returns the trace and the span of the caller (W3C Trace Context), and whether the caller records the trace. Returns
 * undefined if the caller sent no trace.
 */
export const traceOf = ({
  headers
}: IncomingMessage): { readonly traceId: string; readonly spanId: string; readonly sampled: boolean } | undefined => {
  const { traceparent } = headers
  const [, traceId, spanId, flags] = typeof traceparent === "string" ? (traceForm.exec(traceparent) ?? []) : []
  return traceId === undefined || spanId === undefined || flags === undefined
    ? undefined
    : { traceId, spanId, sampled: (parseInt(flags, 16) & 1) === 1 }
}

/**
 * Returns the request id that the client sent, if the pod accepts its form. Otherwise returns the trace id that the
 * client sent. Without a trace id, returns a new id.
 */
export const requestIdOf = (request: IncomingMessage): string => {
  const given = request.headers["x-request-id"]
  if (typeof given === "string" && idForm.test(given)) return given
  const traced = traceOf(request)?.traceId
  return traced === undefined
    ? uuidv7()
    : `${traced.slice(0, 8)}-${traced.slice(8, 12)}-${traced.slice(12, 16)}-${traced.slice(16, 20)}-${traced.slice(20)}`
}

/**
 * Headers that a request can have only once. Node keeps the first value of a repeated header and drops the others
 * without an error. So the pod and a proxy in front of it could read different values.
 */
const singleHeaders = ["authorization", "content-type", "host"] as const

/** Returns the name of a header that the request has more than once, although it can have this header only once. */
export const repeatedHeader = ({ rawHeaders }: IncomingMessage): string | undefined =>
  singleHeaders.find((single) => {
    let count = 0
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] ?? ""
      if (name.length === single.length && name.toLowerCase() === single) count += 1
    }
    return count > 1
  })

const bearerForm = /^bearer +(.*)$/i

/** The requests that the pod received over the admin socket in the data directory. */
const operatorRequests = new WeakSet<IncomingMessage>()

/**
 * Marks a request that the pod received over the admin socket in the data directory. Only the listener of this socket
 * is allowed to call this function.
 */
export const noteOperator = (request: IncomingMessage): void => void operatorRequests.add(request)

/**
 * Returns the credential of a request. If the client sends a bearer key and a session, only the bearer key is used. A
 * request over the admin socket without a credential comes from the local operator.
 */
export const presentedCredential = (request: IncomingMessage): PresentedCredential => {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const secret = bearerForm.exec(authorization)?.[1]?.trim()
    if (secret !== undefined) return { kind: "bearer", secret }
  }
  const token = request.headers["x-session-token"]
  if (typeof token === "string" && token.trim() !== "") return { kind: "session", token: token.trim() }
  // A request with any credential, even an invalid one, does not count as a request of the operator.
  const hasNone = authorization === undefined && token === undefined
  return hasNone && operatorRequests.has(request) ? { kind: "operator" } : { kind: "none" }
}

/** Notes the caller for the access log, and adds headers if the caller's key expires soon. */
export const notePrincipal = ({ note, response }: Exchange, { credential, expiresAt }: Principal): void => {
  note.credentialId = credential.id
  if (credential.kind === "key") note.keyId = credential.id
  const expiresSoon = nearExpiry(credential.kind === "key" ? expiresAt : null, Date.now())
  if (expiresSoon === undefined || response.headersSent) return
  response.setHeader("x-key-expires-soon", "true")
  response.setHeader("x-key-expires-at", expiresSoon.toISOString())
}

// nginx logs this status for a client that did not wait for its answer.
const clientLeft = 499

/**
 * Returns the status of a request that has ended: the status that the pod sent, or 499 if the client left before the
 * pod sent one. Until then, Node says 200.
 */
export const endStatusOf = ({ response }: Exchange): number => (response.headersSent ? response.statusCode : clientLeft)

/** Notes why a call failed, unless an earlier failure of the request is already noted. */
export const noteFailure = ({ note }: Exchange, failure: Failure): void => {
  note.failure ??= failure
  if (failure._tag === "Unauthorized" && failure.keyId !== undefined) note.keyId ??= failure.keyId
}

/** Writes the remaining rate limit into response headers. Changes nothing if the headers already show a lower limit. */
export const noteAllowance = (response: ServerResponse, allowance: Allowance): void => {
  if (response.headersSent) return
  // Without the header, the right side is NaN and the comparison is false.
  if (allowance.remaining >= Number(response.getHeader("ratelimit-remaining"))) return
  const headers = allowanceHeaders(allowance)
  for (const name in headers) response.setHeader(name, headers[name])
}

/**
 * Writes the outcome of a call into response headers. These headers show the remaining rate limit, the cursor of the
 * next page and the ignored fields. They also show whether the key expires soon, and whether the answer is the stored
 * answer of an earlier request. A batch has one response for all its calls, and the response shows the lowest remaining
 * limit. The headers of a stream are already sent when a call ends, so this function does not change them.
 */
export const noteOutcome = (
  exchange: Exchange,
  { allowance, ignored, isReplay, nextCursor, principal, proposalId, result }: Outcome
): void => {
  const { response } = exchange
  if (principal !== undefined) notePrincipal(exchange, principal)
  if (Either.isLeft(result)) noteFailure(exchange, result.left)
  if (proposalId !== undefined) exchange.note.proposalId ??= proposalId
  if (response.headersSent) return
  if (nextCursor !== undefined) response.setHeader("x-svc-next-cursor", nextCursor)
  noteIgnored(response, ignored)
  if (isReplay) response.setHeader("x-idempotent-replay", "true")
  if (allowance !== undefined) noteAllowance(response, allowance)
}

/** Ends an HTTP response. Does nothing if the response is already sent or the client has disconnected. */
const send = (
  { request, response }: Pick<Exchange, "request" | "response">,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders
): void => {
  if (response.headersSent || response.destroyed) return
  headers["content-length"] = Buffer.byteLength(text)
  response.writeHead(status, headers)
  if (request.method === "HEAD") response.end()
  else endWithText(response, text)
}

/** Sends an answer that is already JSON text. */
export const sendJsonText = (
  exchange: Pick<Exchange, "request" | "response">,
  status: number,
  text: string,
  headers?: Readonly<Record<string, string>>
): void => send(exchange, status, text, { ...headers, "content-type": "application/json" })

export const sendJson = (
  exchange: Pick<Exchange, "request" | "response">,
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>
): void => sendJsonText(exchange, status, JSON.stringify(body), headers)

/** Answers with a failure, in the form that the clients of the path expect. */
export const sendFailure = (exchange: Pick<Exchange, "path" | "request" | "response">, failure: Failure): void => {
  const { status, body, headers } = wireAnswerIn(dialectOf(exchange.path), failure)
  sendJson(exchange, status, body, headers)
}

/** Ends a response with a text. Every answer has the header `nosniff`, so a browser never runs the text as a script. */
export const sendText = (exchange: Pick<Exchange, "request" | "response">, { mediaType, text }: RawText): void =>
  send(exchange, 200, text, { "content-type": `${mediaType}; charset=utf-8` })
