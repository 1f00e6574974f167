/** What the MCP endpoint needs from the pod: functions that identify the caller, list the tools and run a call. */
import type { IncomingMessage } from "node:http"
import type { McpContent } from "./McpContent.ts"
import type { McpCallerRefused } from "./McpGuard.ts"
import type { Fields, McpCallContext, McpResult, McpTool } from "./McpTool.ts"

export type McpCaller<C> = { readonly ok: true; readonly caller: C } | McpCallerRefused

export interface McpService<C> {
  /**
   * Identifies the caller from the headers. The endpoint calls this for each request, and again for each further
   * message of a batch.
   */
  readonly identify: (request: IncomingMessage) => Promise<McpCaller<C>>
  /**
   * Counts messages against the caller's rate limit. Returns the refusal if there are too many messages, and undefined
   * otherwise. If `countMessages` is absent, the endpoint counts no messages.
   */
  readonly countMessages?: (caller: C, messages: number) => McpCallerRefused | undefined
  /**
   * Receives the name and version that the client states about itself. If `noteClient` is absent, the endpoint does not
   * read them.
   */
  readonly noteClient?: (caller: C, clientName: string) => void
  /** Returns the tools that this caller is allowed to call. */
  readonly tools: (caller: C) => ReadonlyArray<McpTool>
  /**
   * Runs a tool. This function must check the rights of the caller and the arguments, because the endpoint checks
   * neither the name nor the arguments. Returns undefined if the tool does not exist.
   */
  readonly call: (caller: C, tool: string, args: Fields, context: McpCallContext) => Promise<McpResult | undefined>
  /** Serves resources and prompts. If absent, the endpoint has only tools. */
  readonly content?: McpContent<C>
}
