/** The MCP tools of views. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { rows } from "../../doors/Door.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { View, ViewInput } from "./View.ts"

export const ViewTools = [
  tool("svc_list_views", {
    title: "List views",
    input: describeArguments(ViewInput, {
      workspaceId: "Only views of this workspace.",
      type: "Only views of this type.",
      profileId: "Only views of this profile (kind of entity), by its id.",
      limit: "How many to list at most.",
      offset: "How many to skip.",
      cursor: "The cursor from the previous page. Use either cursor or offset."
    }),
    success: pagedStruct(Schema.Struct({ views: Schema.Array(View.schema) })),
    door: rows("mcp.read", "view"),
    summary: "List the views that you may read, latest change first. Narrow with type, profileId or workspaceId."
  })
] as const
