/**
 * Answers MCP messages with the SDK. The SDK checks each message against the protocol, and finds its handler here. It
 * gets a new server for each request.
 */
import {
  createMcpHandler,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  ProtocolError,
  Server,
  type Tool
} from "@modelcontextprotocol/server"
import { type CallTool, unknownTool } from "./McpCalls.ts"
import { contentCapabilities, contentError, type McpContentAnswer, serveContent } from "./McpContent.ts"
import { inTurn, type McpExchange, noteCallerRefused } from "./McpExchange.ts"
import {
  awaitFirstBytes,
  credentialRefusal,
  internalRefusal,
  responseOf,
  serverError,
  stoppingRefusal
} from "./McpGuard.ts"
import { reportProgress } from "./McpProgress.ts"
import type { McpService } from "./McpService.ts"

/** What the handlers of all messages share. */
export interface SdkServerParts<C> {
  readonly service: McpService<C>
  readonly callTool: CallTool<C>
  /** Reports the cause of a failure to the operator, and returns the error id that the client gets. */
  readonly report: (cause: unknown) => string
  readonly serverInfo: { readonly name: string; readonly version: string }
  readonly instructions: string
  readonly progressEveryMs: number
  readonly keepAliveMs: number
}

export interface SdkServer<C> {
  readonly answer: (request: Request, exchange: McpExchange<C>, body: object) => Promise<Response>
  readonly close: () => Promise<void>
}

// At most this many streams of subscriptions are open at the same time. The pod sends no events on these streams, so
// each stream costs only a connection.
const subscriptionsMax = 256

/**
 * Cache hints for answers that depend on the key of the caller. A cache must not give the answer of one caller to
 * another caller.
 */
const privateHints = {
  "tools/list": { cacheScope: "private" },
  "resources/list": { cacheScope: "private" },
  "resources/templates/list": { cacheScope: "private" },
  "resources/read": { cacheScope: "private" },
  "prompts/list": { cacheScope: "private" }
} as const

/** Returns the caller of a message. An answer that is no tool result has no `isError`, so a refusal is an error here. */
const admittedCaller = async <C>({ admit }: McpExchange<C>): Promise<C> => {
  const admitted = await admit()
  if (!admitted.ok) throw new ProtocolError(serverError, admitted.description)
  return admitted.caller
}

const internalError = (message: string, errorId: string) => new ProtocolError(INTERNAL_ERROR, message, { errorId })

const listTools = async <C>(
  { report, service }: SdkServerParts<C>,
  exchange: McpExchange<C>,
  cursor: string | undefined
): Promise<{ tools: Array<Tool> }> => {
  if (cursor !== undefined)
    throw new ProtocolError(INVALID_PARAMS, "The list of tools has only one page. Leave out the cursor.")
  const caller = await admittedCaller(exchange)
  try {
    // The SDK's type has mutable arrays, and the pod's type has read-only arrays. No code here changes an array, so
    // the cast is safe.
    return { tools: [...service.tools(caller)] as ReadonlyArray<unknown> as Array<Tool> }
  } catch (cause) {
    throw internalError("The pod could not make the list of tools because of an internal error.", report(cause))
  }
}

/**
 * Answers a request for resources or prompts. The answer to such a request cannot be an `isError` result, so every
 * refusal is a protocol error.
 */
const readContent = async <C, A>(
  { report }: SdkServerParts<C>,
  exchange: McpExchange<C>,
  work: (caller: C) => Promise<McpContentAnswer<A>>
): Promise<A> => {
  const caller = await admittedCaller(exchange)
  const answer = await work(caller).catch((cause: unknown) => {
    throw internalError("The pod could not read the resources or prompts because of an internal error.", report(cause))
  })
  if (answer.ok) {
    exchange.hasAnswered = true
    return answer.value
  }
  if (!("refusal" in answer)) throw contentError(answer.message, answer.data)
  noteCallerRefused(exchange, answer.refusal)
  throw new ProtocolError(serverError, answer.refusal.description)
}

/**
 * Makes the MCP server for one request. The low-level class `Server` of the SDK accepts JSON Schema. The class
 * `McpServer` would need every schema as a zod-like object.
 */
const serverFor = <C>(parts: SdkServerParts<C>, exchange: McpExchange<C>): Server => {
  const { callTool, instructions, progressEveryMs, serverInfo, service } = parts
  const server = new Server(serverInfo, {
    capabilities: { tools: {}, ...(service.content === undefined ? {} : contentCapabilities) },
    instructions,
    cacheHints: privateHints
  })
  server.setRequestHandler("tools/list", ({ params }) =>
    inTurn(exchange, () => listTools(parts, exchange, params?.cursor))
  )
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const stopProgress = reportProgress(mcpReq, progressEveryMs)
    const call = () => callTool(exchange, params.name, exchange.argumentsOf(mcpReq.id))
    const answer = await inTurn(exchange, call).finally(stopProgress)
    if (answer === undefined) throw new ProtocolError(INVALID_PARAMS, unknownTool(params.name))
    return answer.result
  })
  if (service.content !== undefined) {
    const read = <A>(work: (caller: C) => Promise<McpContentAnswer<A>>) =>
      inTurn(exchange, () => readContent(parts, exchange, work))
    serveContent(server, service.content, read, exchange.signal)
  }
  return server
}

/** Makes the function that answers the messages of a request, and the function that ends all of its streams. */
export const sdkServer = <C>(parts: SdkServerParts<C>): SdkServer<C> => {
  const exchanges = new WeakMap<Request, McpExchange<C>>()
  const mcp = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = requestInfo && exchanges.get(requestInfo)
      if (exchange === undefined) throw new Error("A request reached the MCP handler without its exchange")
      return serverFor(parts, exchange)
    },
    { legacy: "stateless", maxSubscriptions: subscriptionsMax, keepAliveMs: parts.keepAliveMs }
  )
  return {
    answer: async (request, exchange, body) => {
      exchanges.set(request, exchange)
      const response = await awaitFirstBytes(await mcp.fetch(request, { parsedBody: body }))
      // Status 499 means that the endpoint was closed or that the client has disconnected.
      if (response.status === 499) return responseOf(stoppingRefusal)
      if (response.status === 500) {
        return responseOf(internalRefusal(parts.report(new Error("The MCP handler answered 500"))))
      }
      if (exchange.callerRefused === undefined) return response
      await response.body?.cancel()
      return responseOf(credentialRefusal(exchange.callerRefused))
    },
    close: () => mcp.close()
  }
}
