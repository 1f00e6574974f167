/** Describes a tool in the form that MCP clients get, and the possible results of a call. */
import type { McpCallerRefused } from "./McpGuard.ts"

export type Fields = Readonly<Record<string, unknown>>

/**
 * A JSON Schema whose root is an object. MCP requires an object for arguments, and the 2025 revisions require an object
 * for results too.
 */
export interface JsonSchemaObject {
  readonly type: "object"
  readonly [keyword: string]: unknown
}

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchemaObject
  /**
   * The schema of the answer. Clients check every answer with this schema and refuse an answer that does not match it.
   */
  readonly outputSchema?: JsonSchemaObject
  readonly annotations: {
    /** The title of the tool a second time, because clients of older protocol revisions read the title here. */
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

export type McpResult =
  /**
   * The answer of the tool. The endpoint sends it as `structuredContent`, and also as JSON text for clients of
   * revisions before 2025-06-18.
   */
  | {
      readonly kind: "answer"
      readonly structured: Fields
      /** Returns the refusal if the pod has no memory for an answer of this many characters. */
      readonly refuseLength?: (characters: number) => Extract<McpResult, { readonly kind: "refused" }> | undefined
    }
  /**
   * The tool refused the call. The endpoint sends an `isError` result with two texts: `text`, and `data` as JSON. An
   * error has no `structuredContent`.
   */
  | { readonly kind: "refused"; readonly text: string; readonly data: Fields }
  /**
   * The credential is no longer valid, or the caller has made too many calls. If nothing was sent yet, the endpoint
   * answers with an HTTP status. Otherwise the endpoint answers with an `isError` result.
   */
  | { readonly kind: "callerRefused"; readonly refusal: McpCallerRefused }

/**
 * How a tool is called. `signal` is aborted when the client disconnects or the endpoint closes. If `isCounted` is false,
 * the call must be counted against the rate limit of its caller.
 */
export interface McpCallContext {
  readonly isCounted: boolean
  readonly signal: AbortSignal
}
