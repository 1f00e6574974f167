/** What the MCP endpoint needs from the pod: the caller, the list of tools, and the result of a call. */
import type { IncomingMessage } from "node:http"
import type { McpContent } from "./McpContent.ts"
import type { McpCallerRefused } from "./McpGuard.ts"
import type { Fields, McpResult, McpTool } from "./McpTool.ts"

export type McpCaller<C> = { readonly ok: true; readonly caller: C } | McpCallerRefused

export interface McpService<C> {
  /** Identifies the caller from the headers. Called for each request, and for each further call of a batch. */
  readonly identify: (request: IncomingMessage) => Promise<McpCaller<C>>
  /**
   * Counts messages against the caller's rate limit. Returns the refusal if there are too many messages, and undefined
   * otherwise. If `spend` is absent, these messages are not counted.
   */
  readonly spend?: (caller: C, messages: number) => Promise<McpCallerRefused | undefined>
  /** Takes the name and version that the client states about itself. If absent, nobody asks for it. */
  readonly noteClient?: (caller: C, clientName: string) => void
  /** Returns only the tools that this caller may call. */
  readonly tools: (caller: C) => ReadonlyArray<McpTool>
  /**
   * Runs a tool. This function must check the rights of the caller and the arguments, because the endpoint passes any
   * name and any arguments. Returns undefined if the tool does not exist. `signal` is aborted when the client has
   * disconnected or the endpoint closes. If not `isCounted`, this function counts the call against the rate limit.
   */
  readonly call: (
    caller: C,
    tool: string,
    args: Fields,
    context: { readonly signal: AbortSignal; readonly isCounted: boolean }
  ) => Promise<McpResult | undefined>
  /** Resources and prompts. If absent, the endpoint has only tools. */
  readonly content?: McpContent<C>
}
