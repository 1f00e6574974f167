/**
 * Serves the Model Context Protocol over node:http. One endpoint without sessions serves both the revisions up to 2025
 * and the 2026 revision.
 */
import {
  createMcpHandler,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  ProtocolError,
  Server,
  type Tool
} from "@modelcontextprotocol/server"
import { toNodeHandler } from "@modelcontextprotocol/node"
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { BodyMemory } from "./BodyMemory.ts"
import { contentCapabilities, contentError, type McpContentAnswer, serveContent } from "./McpContent.ts"
import { clientNameIn } from "./McpClientName.ts"
import { type McpExchange, toolCalls, unknownTool } from "./McpCalls.ts"
import {
  argumentsIn,
  awaitFirstBytes,
  stoppingRefusal,
  type McpAddresses,
  type McpRefusal,
  readMessages,
  credentialRefusal,
  refuseAddress,
  responseOf,
  sendRefusal,
  serverError,
  withoutCancellations
} from "./McpGuard.ts"
import { plainCallOf, plainCalls } from "./McpPlainCall.ts"
import type { McpCaller, McpService } from "./McpService.ts"
import { progressEveryMs, reportProgress } from "./McpProgress.ts"
import { sdkRequest } from "./McpSdkRequest.ts"

export interface McpSettings extends McpAddresses {
  readonly name: string
  readonly version: string
  /** One sentence for the public manifest, which clients read without a key. */
  readonly description?: string
  /** The number of all tools, for the manifest. A caller might see fewer tools. */
  readonly toolCount?: number
  /** Instructions for the agent. The endpoint sends them only to a caller with a key. */
  readonly instructions: string
  readonly maxBodyBytes: number
  /** The milliseconds between two progress notifications, if the client asked for progress. Default: 5 seconds. */
  readonly progressEveryMs?: number
  /**
   * After this many milliseconds without data, the endpoint sends a comment on a stream, so that no proxy closes the
   * stream. Default: 15 seconds.
   */
  readonly keepAliveMs?: number
  /** Counts the memory that all requests (REST, tRPC and MCP) use together. If absent, memory is not counted. */
  readonly memory?: BodyMemory
  /**
   * The endpoint calls this function for every unexpected failure. The client gets only the `errorId` of the failure.
   */
  readonly onFailure?: (failure: { readonly errorId: string; readonly cause: unknown }) => void
}

export interface McpEndpoint {
  /** Answers one request. The promise never rejects. Headers that are already set on the response are kept. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Aborts the running calls and answers 503 from now on. Call this when the other requests have been answered. */
  readonly close: () => Promise<void>
}

const keepAliveEveryMs = 15_000
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

/** Serves the tools of `service` over MCP. */
export const serveMcp = <C>(service: McpService<C>, settings: McpSettings): McpEndpoint => {
  const { description, instructions, keepAliveMs = keepAliveEveryMs, name, toolCount, version } = settings
  const exchanges = new WeakMap<Request, McpExchange<C>>()
  const running = new Set<AbortController>()
  let isClosed = false

  /** Reports the cause to the operator, and returns the error id that the client gets. */
  const report = (cause: unknown): string => {
    const errorId = randomUUID()
    settings.onFailure?.({ errorId, cause })
    return errorId
  }

  const callTool = toolCalls(service, report)

  const listTools = async (exchange: McpExchange<C>, cursor: string | undefined): Promise<{ tools: Array<Tool> }> => {
    if (cursor !== undefined)
      throw new ProtocolError(INVALID_PARAMS, "The list of tools has only one page. Leave out the cursor.")
    const admitted = await exchange.admit()
    if (!admitted.ok) throw new ProtocolError(serverError, admitted.description)
    try {
      // The SDK's type has mutable arrays, and the pod's type has read-only arrays. No code here changes an array, so
      // the cast is safe.
      return { tools: [...service.tools(admitted.caller)] as ReadonlyArray<unknown> as Array<Tool> }
    } catch (cause) {
      throw new ProtocolError(
        INTERNAL_ERROR,
        "The pod could not make the list of tools because of an internal error.",
        { errorId: report(cause) }
      )
    }
  }

  /**
   * Answers a request for resources or prompts. The answer to such a request cannot be an `isError` result, so every
   * refusal is a protocol error.
   */
  const readContent = async <A>(
    exchange: McpExchange<C>,
    work: (caller: C) => Promise<McpContentAnswer<A>>
  ): Promise<A> => {
    const admitted = await exchange.admit()
    if (!admitted.ok) throw new ProtocolError(serverError, admitted.description)
    const answer = await work(admitted.caller).catch((cause: unknown) => {
      throw new ProtocolError(
        INTERNAL_ERROR,
        "The pod could not read the resources or prompts because of an internal error.",
        { errorId: report(cause) }
      )
    })
    if (answer.ok) {
      exchange.hasAnswered = true
      return answer.value
    }
    if (!("refusal" in answer)) throw contentError(answer.message, answer.data)
    if (!exchange.hasAnswered) exchange.callerRefused = answer.refusal
    throw new ProtocolError(serverError, answer.refusal.description)
  }

  /**
   * Makes the MCP server for one request. The low-level class `Server` of the SDK accepts JSON Schema. The class
   * `McpServer` would need every schema as a zod-like object.
   */
  const serverFor = (exchange: McpExchange<C>): Server => {
    const server = new Server(
      { name, version },
      {
        capabilities: { tools: {}, ...(service.content === undefined ? {} : contentCapabilities) },
        instructions,
        cacheHints: privateHints
      }
    )
    const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
      const mine = exchange.turn.then(work, work)
      exchange.turn = mine
      return mine
    }
    server.setRequestHandler("tools/list", ({ params }) => inTurn(() => listTools(exchange, params?.cursor)))
    server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      const stopProgress = reportProgress(mcpReq, settings.progressEveryMs ?? progressEveryMs)
      const args = exchange.argumentsOf(mcpReq.id)
      const answer = await inTurn(() => callTool(exchange, params.name, args)).finally(stopProgress)
      if (answer === undefined) throw new ProtocolError(INVALID_PARAMS, unknownTool(params.name))
      return answer.result
    })
    if (service.content !== undefined) {
      serveContent(server, service.content, (work) => inTurn(() => readContent(exchange, work)), exchange.signal)
    }
    return server
  }

  const mcp = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = requestInfo && exchanges.get(requestInfo)
      if (exchange === undefined) throw new Error("A request reached the MCP handler without its exchange")
      return serverFor(exchange)
    },
    { legacy: "stateless", maxSubscriptions: subscriptionsMax, keepAliveMs }
  )
  const answerPlainCall = plainCalls({ callTool, serverInfo: { name, version }, keepAliveMs })

  const internal = (cause: unknown): McpRefusal => ({
    status: 500,
    code: INTERNAL_ERROR,
    message: "Internal error.",
    data: { errorId: report(cause) }
  })

  const answer = async (request: Request, exchange: McpExchange<C>, body: object): Promise<Response> => {
    if (isClosed) return responseOf(stoppingRefusal)
    exchanges.set(request, exchange)
    const response = await awaitFirstBytes(await mcp.fetch(request, { parsedBody: body }))
    // Status 499 means that the endpoint was closed or that the client has disconnected.
    if (response.status === 499) return responseOf(stoppingRefusal)
    if (response.status === 500) return responseOf(internal(new Error("The MCP handler answered 500")))
    if (exchange.callerRefused === undefined) return response
    await response.body?.cancel()
    return responseOf(credentialRefusal(exchange.callerRefused))
  }

  const capabilities = ["tools", ...(service.content === undefined ? [] : ["resources", "prompts"])]
  const manifest = JSON.stringify({ name, version, description, capabilities, auth: { type: "bearer" }, toolCount })

  /**
   * Answers the request, or returns its refusal. The order of the checks is fixed: address, credential, method, body,
   * protocol.
   */
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<McpRefusal | undefined> => {
    const foreign = refuseAddress(request, settings)
    if (foreign !== undefined) return foreign
    if (isClosed) return stoppingRefusal
    const isStreamProbe = request.headers.accept?.includes("text/event-stream") === true
    if (request.method === "GET" && !isStreamProbe) {
      response.writeHead(200, { "content-type": "application/json" }).end(manifest)
      return undefined
    }
    const identified = await service.identify(request)
    if (!identified.ok) return credentialRefusal(identified)
    const spend = (messages: number) => {
      const exceeded = service.countMessages?.(identified.caller, messages)
      return exceeded && credentialRefusal(exceeded)
    }
    if (request.method !== "POST") {
      return spend(1) ?? { status: 405, code: serverError, message: "Method not allowed.", headers: { allow: "POST" } }
    }
    const read = await readMessages(request, { limitBytes: settings.maxBodyBytes, memory: settings.memory })
    if (read === "gone") return undefined
    if (!read.ok) return spend(1) ?? read.refusal
    const { body } = read
    const clientName = service.noteClient === undefined ? undefined : clientNameIn(body)
    if (clientName !== undefined) service.noteClient?.(identified.caller, clientName)
    const plainCall = plainCallOf(request.headers, body)
    // A plain call (`McpPlainCall.ts`) is counted when it runs. All other messages are counted here, because the SDK
    // can refuse a message before it reaches a tool.
    const exceeded = plainCall === undefined ? spend(Array.isArray(body) ? body.length : 1) : undefined
    if (exceeded !== undefined) return exceeded
    // The client has disconnected and the response is closed, so a listener for its close event would never run.
    if (response.destroyed) return undefined
    const controller = new AbortController()
    running.add(controller)
    response.once("close", () => {
      running.delete(controller)
      if (!response.writableFinished) controller.abort()
    })
    let unspent: McpCaller<C> | undefined = identified
    const exchange: McpExchange<C> = {
      admit: async () => {
        const mine = unspent
        unspent = undefined
        return mine ?? service.identify(request)
      },
      signal: controller.signal,
      argumentsOf: (id) => argumentsIn(body, id),
      isCounted: plainCall === undefined,
      turn: Promise.resolve(),
      hasAnswered: false,
      callerRefused: undefined
    }
    if (plainCall !== undefined) {
      return isClosed ? stoppingRefusal : answerPlainCall(plainCall, exchange, response)
    }
    await toNodeHandler({ fetch: (web) => answer(web, exchange, withoutCancellations(body)) })(
      sdkRequest(request),
      response
    )
    return undefined
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const refusal = await serve(request, response)
      if (refusal !== undefined) sendRefusal(response, refusal)
    } catch (cause) {
      if (!response.destroyed) sendRefusal(response, internal(cause))
    }
  }

  const close = async (): Promise<void> => {
    isClosed = true
    for (const controller of running) controller.abort()
    await mcp.close()
  }

  return { handle, close }
}
