/** The MCP tools of tracks. */
import { Schema } from "effect"
import { tool } from "../../doors/Declare.ts"
import { rows } from "../../doors/Door.ts"
import { continuing } from "../../doors/Page.ts"
import { Track, TrackInput } from "./Track.ts"
import { described } from "../../doors/Fields.ts"

export const TrackTools = [
  tool("svc_list_tracks", {
    title: "List tracks",
    input: TrackInput,
    success: continuing(Schema.Struct({ tracks: described("The tracks.", Schema.Array(Track.schema)) })),
    door: rows("mcp.read", "track"),
    summary: "List the tracks (lines of work) that you may read, latest change first."
  })
] as const
