/** What the MCP endpoint asks of the pod: who calls, which tools there are, and the result of a call. */
import type { IncomingMessage } from "node:http"
import type { McpContent } from "./McpContent.ts"
import type { McpCallerRefused } from "./McpGuard.ts"
import type { Fields, McpResult, McpTool } from "./McpTool.ts"

export type McpCaller<C> = { readonly ok: true; readonly caller: C } | McpCallerRefused

export interface McpService<C> {
  /** Identifies the caller from the headers, for each request and for each further call of a batch. */
  readonly identify: (request: IncomingMessage) => Promise<McpCaller<C>>
  /**
   * Counts the messages that do not reach `call`, against the caller's rate limit; `call` counts the others itself.
   * Returns the refusal if there are too many, else undefined. A service without `spend` counts no such messages.
   */
  readonly spend?: (caller: C, messages: number) => Promise<McpCallerRefused | undefined>
  /** The tools that this caller may call, and no others. */
  readonly tools: (caller: C) => ReadonlyArray<McpTool>
  /**
   * Runs a tool. It must itself authorise the caller and validate: the endpoint passes any name and any arguments.
   * Undefined for a tool that does not exist. `signal` is aborted when the client has gone or the endpoint closes.
   */
  readonly call: (
    caller: C,
    tool: string,
    args: Fields,
    context: { readonly signal: AbortSignal }
  ) => Promise<McpResult | undefined>
  /** Resources and prompts. If absent, the endpoint has only tools. */
  readonly content?: McpContent<C>
}
