/** The MCP tools of views. */
import { Schema } from "effect"
import { tool } from "../../doors/Declare.ts"
import { rows } from "../../doors/Door.ts"
import { continuing } from "../../doors/Page.ts"
import { View, ViewInput } from "./View.ts"
import { described } from "../../doors/Fields.ts"

export const ViewTools = [
  tool("svc_list_views", {
    title: "List views",
    input: ViewInput,
    success: continuing(Schema.Struct({ views: described("The views.", Schema.Array(View.schema)) })),
    door: rows("mcp.read", "view"),
    summary: "List the views that you may read, latest change first. Narrow with type, profileId or workspaceId."
  })
] as const
