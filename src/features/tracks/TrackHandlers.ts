/** The handlers of tracks. Tracks have no rules of their own: the handlers use the governed records directly. */
import { Effect, Layer } from "effect"
import { removed } from "../../doors/Fields.ts"
import { implement, implementTools } from "../../doors/Implement.ts"
import { toolContinued } from "../../doors/Page.ts"
import { type Governed, governing } from "../records/GovernedRecords.ts"
import { split } from "../records/RecordType.ts"
import { Track } from "./Track.ts"
import { TrackApi } from "./TrackApi.ts"
import { TrackTools } from "./TrackTools.ts"

const rest = (tracks: Governed<Track>) =>
  implement(
    TrackApi,
    Effect.succeed({
      "tracks.list": ({ urlParams }) => tracks.list(split(urlParams, ["projectId", "status"])),
      "tracks.get": ({ path }) => tracks.get(path.id),
      "tracks.create": ({ payload: { workspaceId, reasoning, sessionId, ...fields } }) =>
        tracks.create({ workspaceId, fields, reasoning, sessionId }),
      "tracks.update": ({ path, payload: { reasoning, sessionId, expectedVersion, ...fields } }) =>
        tracks.update(path.id, fields, { reasoning, sessionId, expectedVersion }),
      "tracks.delete": ({ path }) => Effect.map(tracks.remove(path.id), removed)
    })
  )

const tools = (tracks: Governed<Track>) =>
  implementTools(
    TrackTools,
    Effect.succeed({
      svc_list_tracks: (input) =>
        Effect.map(tracks.list(split(input, ["projectId", "status"])), (page) =>
          toolContinued(page, (found) => ({ tracks: found }))
        )
    })
  )

export const layer = Layer.unwrapEffect(
  Effect.map(governing(Track), (tracks) => Layer.mergeAll(rest(tracks), tools(tracks)))
)
