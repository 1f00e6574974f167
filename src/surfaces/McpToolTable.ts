/** The table of all tools with their two forms of schemas, as MCP clients get them. */
import type { ToolOperation } from "../doors/Operation.ts"
import { atFirstUse } from "../platform/AtFirstUse.ts"
import { inputSchemaOf, outputSchemaOf } from "./McpSchemas.ts"
import { type StrictForm, strictFormOf } from "./McpStrictForm.ts"
import type { McpTool } from "./McpTool.ts"

export interface ListedTool {
  readonly operation: ToolOperation
  readonly tool: () => McpTool
  /** The tool with its strict schema, and the function that changes strict arguments back. */
  readonly strict: () => { readonly tool: McpTool; readonly read: StrictForm["read"] }
}

const toolOf = (operation: ToolOperation): McpTool => ({
  name: operation.name,
  title: operation.title,
  description: operation.summary,
  inputSchema: inputSchemaOf(operation),
  outputSchema: outputSchemaOf(operation),
  annotations: {
    title: operation.title,
    readOnlyHint: operation.kind === "query",
    destructiveHint: operation.door._tag === "Write" && operation.door.actions.some((action) => action !== "create"),
    idempotentHint: operation.kind === "query",
    openWorldHint: false
  }
})

const listed = (operation: ToolOperation): ListedTool => {
  const tool = atFirstUse(() => toolOf(operation))
  const strict = atFirstUse(() => {
    const { read, schema } = strictFormOf(tool().inputSchema)
    return { tool: { ...tool(), inputSchema: schema }, read }
  })
  return { operation, tool, strict }
}

/**
 * Makes the table of tools, by name. The schemas of a tool are made when they are first needed, because a start should
 * not wait for them.
 */
export const toolTable = (operations: ReadonlyMap<string, ToolOperation>): ReadonlyMap<string, ListedTool> =>
  new Map([...operations].map(([name, operation]) => [name, listed(operation)]))
