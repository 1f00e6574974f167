/** A tool as MCP clients see it, and what a call of one comes to. */
import type { McpCallerRefused } from "./McpGuard.ts"

export type Fields = Readonly<Record<string, unknown>>

/** A JSON Schema whose root is an object: MCP admits no other root for arguments, nor the 2025 revisions for results. */
export interface JsonSchemaObject {
  readonly type: "object"
  readonly [keyword: string]: unknown
}

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchemaObject
  /** Clients check every `answer` against it and refuse one that does not fit. */
  readonly outputSchema?: JsonSchemaObject
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

export type McpResult =
  /** Goes out as `structuredContent` and, for clients before 2025-06-18, the same as JSON text. */
  | { readonly kind: "answer"; readonly structured: Fields }
  /** Goes out as an `isError` result: `text`, then `data` as JSON text. An error carries no `structuredContent`. */
  | { readonly kind: "refused"; readonly text: string; readonly data: Fields }
  /** The credential may not go on: it died, or called too often. Its HTTP status while nothing has been sent, else an `isError` result. */
  | { readonly kind: "turnedAway"; readonly refusal: McpCallerRefused }
