/** The MCP tools of tracks. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { rows } from "../../doors/Door.ts"
import { toolPage } from "../../doors/Page.ts"
import { Track, TrackInput } from "./Track.ts"

export const TrackTools = [
  tool("svc_list_tracks", {
    title: "List tracks",
    input: describeArguments(TrackInput, {
      workspaceId: "The id of a workspace: only its tracks are listed.",
      projectId: "The id of a project: only its tracks are listed.",
      status: "The state of the wanted tracks.",
      limit: "The largest number of tracks to list.",
      offset: "The number of tracks to skip.",
      cursor: "The `nextCursor` of the previous page. Send either `cursor` or `offset`."
    }),
    success: toolPage(Schema.Struct({ tracks: Schema.Array(Track.schema) })),
    door: rows("mcp.read", "track"),
    profiles: ["builder"],
    summary: "List the tracks (lines of work) that you may read, latest change first."
  })
] as const
