/**
 * Answers a request that is one ordinary tool call, without the SDK. The SDK makes a server, a transport, streams and
 * web requests for each request. Together they cost several times as much as the call (measured). With the SDK, a call
 * took 5.6 to 5.9 times as long as in a hand-written server. Without the SDK, it takes 2.8 times as long (medians of
 * seven rounds, `bench/README.md`). The SDK still handles every other request, also every unusual one. So this file
 * never decides what is wrong with a request. `mcpPlainCall.test.ts` compares the answers with those of the SDK. Remove
 * this file when the SDK answers a request without a new server and transport.
 */
import { Predicate } from "effect"
import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  INVALID_PARAMS,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS
} from "@modelcontextprotocol/server"
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { endWithText } from "./EndWithText.ts"
import { type CallAnswer, type CallTool, jsonOf, unknownTool } from "./McpCalls.ts"
import type { McpExchange } from "./McpExchange.ts"
import { credentialRefusal, type McpRefusal, sendRefusal, stoppingRefusal } from "./McpGuard.ts"
import type { Fields } from "./McpTool.ts"

/** A request that is exactly one tool call and uses no other feature of the protocol. */
export interface PlainCall {
  readonly id: string | number
  readonly tool: string
  readonly args: Fields
  /**
   * The form of the answer. In the protocol revisions of 2025 and earlier, the answer is a stream of one event. In the
   * 2026 revision, the answer is JSON.
   */
  readonly era: "2025" | "2026"
}

const hasOnly = (value: object, names: ReadonlySet<string>): boolean => {
  for (const name of Object.keys(value)) if (!names.has(name)) return false
  return true
}

const messageNames: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"])
const paramNames: ReadonlySet<string> = new Set(["name", "arguments", "_meta"])
const envelopeNames: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY
])
const oldRevisions: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS)
const newRevision = "2026-07-28"

const isId = (id: unknown): id is string | number => typeof id === "string" || Number.isSafeInteger(id)

const noFields: Fields = {}

/**
 * True if the SDK reads this field of `_meta`. In the revisions of 2025 and earlier, the SDK ignores all other fields
 * of `_meta`.
 */
const isReadBySdk = (name: string): boolean => name === "progressToken" || name.startsWith("io.modelcontextprotocol/")

const isOldRevision = (headers: IncomingHttpHeaders, meta: Fields): boolean => {
  const { accept, "mcp-protocol-version": version } = headers
  return (
    !Object.keys(meta).some(isReadBySdk) &&
    (version === undefined || oldRevisions.has(String(version))) &&
    accept !== undefined &&
    accept.includes("application/json") &&
    accept.includes("text/event-stream")
  )
}

/**
 * True if the request is a plain call of the 2026 revision. The headers must name the same method and the same tool as
 * the body. The SDK checks the protocol fields of such a request.
 */
const isNewRevision = (headers: IncomingHttpHeaders, body: object, tool: string, meta: Fields): boolean => {
  const { "mcp-method": method, "mcp-name": name, "mcp-protocol-version": version } = headers
  if (version !== newRevision || method !== "tools/call" || name !== tool || !hasOnly(meta, envelopeNames)) return false
  const classified = classifyInboundRequest({
    httpMethod: "POST",
    protocolVersionHeader: version,
    mcpMethodHeader: method,
    mcpNameHeader: name,
    body
  })
  return classified.kind === "modern" && classified.messageKind === "request"
}

/**
 * Returns the call in the request. Returns undefined if the request is not a plain call. The SDK then handles the
 * request.
 */
export const plainCallOf = (headers: IncomingHttpHeaders, body: object): PlainCall | undefined => {
  const { id, jsonrpc, method, params } = body as Fields
  if (method !== "tools/call" || jsonrpc !== "2.0" || !isId(id) || !hasOnly(body, messageNames)) return undefined
  if (!Predicate.isRecord(params) || !hasOnly(params, paramNames)) return undefined
  const { _meta: meta = noFields, arguments: args = noFields, name: tool } = params
  if (typeof tool !== "string" || !Predicate.isRecord(args) || !Predicate.isRecord(meta)) return undefined
  if (isOldRevision(headers, meta)) return { id, tool, args, era: "2025" }
  return isNewRevision(headers, body, tool, meta) ? { id, tool, args, era: "2026" } : undefined
}

const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "x-accel-buffering": "no"
}

/** Returns the JSON-RPC message that answers the call. `resultFields` is JSON text with more fields for the result. */
const messageOf = (call: PlainCall, answer: CallAnswer | undefined, resultFields: string): string => {
  const id = JSON.stringify(call.id)
  if (answer !== undefined)
    return `{"result":${jsonOf(answer).slice(0, -1)}${resultFields}},"jsonrpc":"2.0","id":${id}}`
  const error = JSON.stringify({ code: INVALID_PARAMS, message: unknownTool(call.tool) })
  return `{"jsonrpc":"2.0","id":${id},"error":${error}}`
}

/** Writes the headers and the text together. If the headers are already sent, writes only the text. */
const send = (response: ServerResponse, headers: Readonly<Record<string, string>>, text: string): void => {
  if (response.headersSent) return void response.end(text)
  response.writeHead(200, { "content-length": Buffer.byteLength(text), ...headers })
  endWithText(response, text)
}

export interface PlainCallSettings<C> {
  readonly callTool: CallTool<C>
  readonly serverInfo: { readonly name: string; readonly version: string }
  /**
   * The milliseconds between two comments in a stream that waits for its answer. The comments stop proxies from closing
   * the connection.
   */
  readonly keepAliveMs: number
}

/**
 * Returns the function that answers a plain call. That function returns a refusal if the pod did not accept the
 * credential.
 */
export const plainCalls = <C>({ callTool, keepAliveMs, serverInfo }: PlainCallSettings<C>) => {
  const newFields = `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfo })}`

  const asStream = async (call: PlainCall, exchange: McpExchange<C>, response: ServerResponse): Promise<void> => {
    const keepAlive = setInterval(() => {
      if (!response.headersSent) response.writeHead(200, streamHeaders)
      response.write(": keepalive\n\n")
    }, keepAliveMs).unref()
    const answer = await callTool(exchange, call.tool, call.args)
    clearInterval(keepAlive)
    if (exchange.callerRefused !== undefined && !response.headersSent) return
    if (!response.destroyed) send(response, streamHeaders, `event: message\ndata: ${messageOf(call, answer, "")}\n\n`)
  }

  const asJson = async (call: PlainCall, exchange: McpExchange<C>, response: ServerResponse): Promise<void> => {
    exchange.signal.addEventListener("abort", () => sendRefusal(response, stoppingRefusal), { once: true })
    const answer = await callTool(exchange, call.tool, call.args)
    if (exchange.callerRefused !== undefined || response.headersSent || response.destroyed) return
    send(response, { "content-type": "application/json" }, messageOf(call, answer, newFields))
  }

  return async (
    call: PlainCall,
    exchange: McpExchange<C>,
    response: ServerResponse
  ): Promise<McpRefusal | undefined> => {
    await (call.era === "2025" ? asStream : asJson)(call, exchange, response)
    return exchange.callerRefused && credentialRefusal(exchange.callerRefused)
  }
}
