/**
 * The Model Context Protocol over node:http. One endpoint without sessions serves both the revisions up to 2025 and the
 * revision of 2026.
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

export interface McpSettings extends McpAddresses {
  readonly name: string
  readonly version: string
  /** One sentence for the manifest. It is public, because clients read the manifest without a key. */
  readonly description?: string
  /** The number of all tools, for the manifest. A caller may see fewer. */
  readonly toolCount?: number
  /** Instructions for the agent; sent only to a caller with a key. */
  readonly instructions: string
  readonly maxBodyBytes: number
  /**
   * How often a long call reports that it still runs, if its client asked for progress. Default: every five seconds.
   */
  readonly progressEveryMs?: number
  /**
   * How often a stream without new data gets a comment, so that no proxy closes the connection. Default: every 15
   * seconds.
   */
  readonly keepAliveMs?: number
  /** Counts the memory that the requests of all surfaces use together. If absent, memory is not counted. */
  readonly memory?: BodyMemory
  /** Called with every unexpected failure. The client gets only its `errorId`. */
  readonly onFailure?: (failure: { readonly errorId: string; readonly cause: unknown }) => void
}

export interface McpEndpoint {
  /** Answers one request. The promise never rejects. Headers that are already set on the response are kept. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Aborts the running calls and answers 503 from now on. Call this after the other requests have been answered. */
  readonly close: () => Promise<void>
}

const keepAliveEveryMs = 15_000
const subscriptionsMax = 256 // most open streams of subscriptions; the pod sends no events on them, so each stream costs only a connection

/** The answers depend on the key of the caller, so a cache must not give the answer of one caller to another. */
const privateHints = {
  "tools/list": { cacheScope: "private" },
  "resources/list": { cacheScope: "private" },
  "resources/templates/list": { cacheScope: "private" },
  "resources/read": { cacheScope: "private" },
  "prompts/list": { cacheScope: "private" }
} as const

/**
 * Serves the tools of `service` over MCP. The facts about the protocol are in the wire table of the reference, section
 * 1.4.
 */
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
      // The SDK's type has mutable arrays, and the pod's type has read-only arrays. Nothing here changes the arrays, so
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
   * Answers a request for resources or prompts. These requests have no `isError` result, so every refusal is an error
   * of the protocol.
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
   * Makes the MCP server for one request. It uses the low-level class `Server` of the SDK, because this class accepts
   * JSON Schema. The class McpServer needs every schema as a zod-like object.
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
      const answer = await inTurn(() => callTool(exchange, params.name, params.arguments ?? {})).finally(stopProgress)
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
    if (response.status === 499) return responseOf(stoppingRefusal) // status 499: the endpoint was closed, or the client has disconnected
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
    const spend = async (messages: number) => {
      const exceeded = await service.spend?.(identified.caller, messages)
      return exceeded && credentialRefusal(exceeded)
    }
    if (request.method !== "POST") {
      return (
        (await spend(1)) ?? {
          status: 405,
          code: serverError,
          message: "Method not allowed.",
          headers: { allow: "POST" }
        }
      )
    }
    const read = await readMessages(request, { limitBytes: settings.maxBodyBytes, memory: settings.memory })
    if (read === "gone") return undefined
    if (!read.ok) return (await spend(1)) ?? read.refusal
    const { body } = read
    const clientName = service.noteClient === undefined ? undefined : clientNameIn(body)
    if (clientName !== undefined) service.noteClient?.(identified.caller, clientName)
    const plainCall = plainCallOf(request.headers, body)
    // A plain call is counted when it runs. Of other requests, the SDK may refuse any message before it reaches a tool.
    const exceeded = plainCall === undefined ? await spend(Array.isArray(body) ? body.length : 1) : undefined
    if (exceeded !== undefined) return exceeded
    if (response.destroyed) return undefined // If the client has disconnected, the response has already closed. A listener for its close event would never run, and the exchange would never end.
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
      isCounted: plainCall === undefined,
      turn: Promise.resolve(),
      hasAnswered: false,
      callerRefused: undefined
    }
    if (plainCall !== undefined) {
      return isClosed ? stoppingRefusal : answerPlainCall(plainCall, exchange, response)
    }
    // The SDK gets only `accept` and the headers of MCP, so it never sees the key. It gets the parsed body, because the
    // body of the request was already read.
    const names = Object.keys(request.headers).filter((one) => one.startsWith("mcp-") || one === "accept")
    const headers = Object.fromEntries(names.map((one) => [one, request.headers[one]]))
    const bare = {
      method: "POST",
      url: "/mcp",
      headers: { ...headers, "content-type": "application/json" },
      async *[Symbol.asyncIterator]() {}
    }
    await toNodeHandler({ fetch: (web) => answer(web, exchange, withoutCancellations(body)) })(bare, response)
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
