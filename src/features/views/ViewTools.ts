/** The MCP tools of views. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { rows } from "../../doors/Door.ts"
import { toolPage } from "../../doors/Page.ts"
import { View, ViewInput } from "./View.ts"

export const ViewTools = [
  tool("svc_list_views", {
    title: "List views",
    input: describeArguments(ViewInput, {
      workspaceId: "The id of a workspace: only its views are listed.",
      type: "Only views of this type.",
      profileId: "The id of a profile (entity kind): only its views are listed.",
      limit: "The largest number of views to list.",
      offset: "The number of views to skip.",
      cursor: "The `nextCursor` of the previous page. Send either `cursor` or `offset`."
    }),
    success: toolPage(Schema.Struct({ views: Schema.Array(View.schema) })),
    door: rows("mcp.read", "view"),
    profiles: ["builder"],
    summary:
      "List the views that you may read, latest change first. Limit the list with `type`, `profileId` or `workspaceId`."
  })
] as const
