/** A tool as MCP clients see it, and the possible results of a call. */
import type { McpCallerRefused } from "./McpGuard.ts"

export type Fields = Readonly<Record<string, unknown>>

/**
 * A JSON Schema whose root is an object. MCP requires an object for arguments, and the 2025 revisions require it for
 * results too.
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
  /** The schema of the answer. Clients check every answer against it and refuse an answer that does not fit. */
  readonly outputSchema?: JsonSchemaObject
  readonly annotations: {
    /** The title again: clients of older protocol revisions read it here. */
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

export type McpResult =
  /**
   * The answer. It is sent as `structuredContent`, and also as JSON text for clients before the revision 2025-06-18.
   */
  | { readonly kind: "answer"; readonly structured: Fields }
  /**
   * The call was refused. It is sent as an `isError` result: `text`, then `data` as JSON text. An error has no
   * `structuredContent`.
   */
  | { readonly kind: "refused"; readonly text: string; readonly data: Fields }
  /**
   * The credential is no longer valid or has made too many calls. If nothing was sent yet, the answer is an HTTP
   * status. Otherwise it is an `isError` result.
   */
  | { readonly kind: "callerRefused"; readonly refusal: McpCallerRefused }
