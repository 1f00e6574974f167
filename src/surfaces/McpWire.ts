/**
 * Serves the Model Context Protocol over node:http. One endpoint without sessions serves both the revisions up to 2025
 * and the 2026 revision.
 */
import { toNodeHandler } from "@modelcontextprotocol/node"
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { BodyMemory } from "./BodyMemory.ts"
import { toolCalls } from "./McpCalls.ts"
import { clientNameIn } from "./McpClientName.ts"
import { beginExchange, runningRequests } from "./McpExchange.ts"
import {
  argumentsIn,
  credentialRefusal,
  internalRefusal,
  type McpAddresses,
  type McpRefusal,
  readMessages,
  refuseAddress,
  responseOf,
  sendRefusal,
  serverError,
  stoppingRefusal,
  withoutCancellations
} from "./McpGuard.ts"
import { plainCallOf, plainCalls } from "./McpPlainCall.ts"
import { progressEveryMs as usualProgressEveryMs } from "./McpProgress.ts"
import { sdkRequest } from "./McpSdkRequest.ts"
import { sdkServer } from "./McpSdkServer.ts"
import type { McpService } from "./McpService.ts"

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

/** What anybody can read about the endpoint without a key. */
const manifestOf = <C>({ content }: McpService<C>, { description, name, toolCount, version }: McpSettings): string => {
  const capabilities = ["tools", ...(content === undefined ? [] : ["resources", "prompts"])]
  return JSON.stringify({ name, version, description, capabilities, auth: { type: "bearer" }, toolCount })
}

/**
 * A GET that accepts a stream asks for the stream of an MCP session, and not for the manifest. The manifest is public.
 * But people also use this request to try a key, so a request with a credential that the pod does not accept is refused.
 */
const asksForManifest = ({ headers, method }: IncomingMessage): boolean =>
  method === "GET" && headers.accept?.includes("text/event-stream") !== true

const methodRefusal: McpRefusal = {
  status: 405,
  code: serverError,
  message: "Method not allowed.",
  headers: { allow: "POST" }
}

/** Serves the tools of `service` over MCP. */
export const serveMcp = <C>(service: McpService<C>, settings: McpSettings): McpEndpoint => {
  const {
    instructions,
    keepAliveMs = keepAliveEveryMs,
    name,
    progressEveryMs = usualProgressEveryMs,
    version
  } = settings
  const serverInfo = { name, version }
  const manifest = manifestOf(service, settings)
  const running = runningRequests()

  /** Reports the cause to the operator, and returns the error id that the client gets. */
  const report = (cause: unknown): string => {
    const errorId = randomUUID()
    settings.onFailure?.({ errorId, cause })
    return errorId
  }

  const callTool = toolCalls(service, report)
  const sdk = sdkServer({ service, callTool, report, serverInfo, instructions, progressEveryMs, keepAliveMs })
  const answerPlainCall = plainCalls({ callTool, serverInfo, keepAliveMs })

  const noteClient = (caller: C, body: object): void => {
    const clientName = service.noteClient === undefined ? undefined : clientNameIn(body)
    if (clientName !== undefined) service.noteClient?.(caller, clientName)
  }

  /** Counts messages against the rate limit of the caller. Returns the refusal if there are too many. */
  const refuseTooMany = (caller: C, messages: number): McpRefusal | undefined => {
    const exceeded = service.countMessages?.(caller, messages)
    return exceeded && credentialRefusal(exceeded)
  }

  /**
   * Answers the request, or returns its refusal. The order of the checks is fixed: address, credential, method, body,
   * protocol.
   */
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<McpRefusal | undefined> => {
    const foreign = refuseAddress(request, settings)
    if (foreign !== undefined) return foreign
    if (running.isClosed()) return stoppingRefusal
    const sendManifest = () => void response.writeHead(200, { "content-type": "application/json" }).end(manifest)
    const isForManifest = asksForManifest(request)
    if (isForManifest && request.headers.authorization === undefined) return sendManifest()
    const identified = await service.identify(request)
    if (!identified.ok) return credentialRefusal(identified)
    const { caller } = identified
    if (isForManifest) return refuseTooMany(caller, 1) ?? sendManifest()
    if (request.method !== "POST") return refuseTooMany(caller, 1) ?? methodRefusal
    const read = await readMessages(request, { limitBytes: settings.maxBodyBytes, memory: settings.memory })
    if (read === "gone") return undefined
    if (!read.ok) return refuseTooMany(caller, 1) ?? read.refusal
    const { body } = read
    noteClient(caller, body)
    const plainCall = plainCallOf(request.headers, body)
    // A plain call (`McpPlainCall.ts`) is counted when it runs. All other messages are counted here, because the SDK
    // can refuse a message before it reaches a tool.
    const exceeded = plainCall === undefined ? refuseTooMany(caller, Array.isArray(body) ? body.length : 1) : undefined
    if (exceeded !== undefined) return exceeded
    // The client has disconnected and the response is closed, so a listener for its close event would never run.
    if (response.destroyed) return undefined
    const exchange = beginExchange(identified, () => service.identify(request), {
      argumentsOf: (id) => argumentsIn(body, id),
      signal: running.begin(response),
      isCounted: plainCall === undefined
    })
    if (plainCall !== undefined) {
      return running.isClosed() ? stoppingRefusal : answerPlainCall(plainCall, exchange, response)
    }
    const messages = withoutCancellations(body)
    const handler = toNodeHandler({
      fetch: async (web) => (running.isClosed() ? responseOf(stoppingRefusal) : sdk.answer(web, exchange, messages))
    })
    await handler(sdkRequest(request), response)
    return undefined
  }

  return {
    handle: async (request, response) => {
      try {
        const refusal = await serve(request, response)
        if (refusal !== undefined) sendRefusal(response, refusal)
      } catch (cause) {
        if (!response.destroyed) sendRefusal(response, internalRefusal(report(cause)))
      }
    },
    close: async () => {
      running.close()
      await sdk.close()
    }
  }
}
