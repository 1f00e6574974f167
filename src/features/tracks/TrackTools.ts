/** The MCP tools of tracks. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { rows } from "../../doors/Door.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { Track, TrackInput } from "./Track.ts"

export const TrackTools = [
  tool("svc_list_tracks", {
    title: "List tracks",
    input: describeArguments(TrackInput, {
      workspaceId: "Only tracks of this workspace.",
      projectId: "Only tracks of this project.",
      status: "Only tracks in this state.",
      limit: "How many to list at most.",
      offset: "How many to skip.",
      cursor: "The cursor from the previous page. Use either cursor or offset."
    }),
    success: pagedStruct(Schema.Struct({ tracks: Schema.Array(Track.schema) })),
    door: rows("mcp.read", "track"),
    summary: "List the tracks (lines of work) that you may read, latest change first."
  })
] as const
