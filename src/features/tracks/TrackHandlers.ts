/**
 * The handlers of tracks. There are no special rules for tracks, so the handlers use the general operations on records.
 */
import { Effect, Layer } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement, implementTools } from "../../doors/Implement.ts"
import { pagedAnswer } from "../../doors/Page.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordOperations } from "../records/RecordOperations.ts"
import { splitFilters } from "../records/RecordType.ts"
import { Track } from "./Track.ts"
import { TrackApi } from "./TrackApi.ts"
import { TrackTools } from "./TrackTools.ts"

const rest = (tracks: RecordOperations<Track>) =>
  implement(
    TrackApi,
    Effect.succeed({
      "tracks.list": ({ urlParams }) => tracks.list(splitFilters(urlParams, ["projectId", "status"])),
      "tracks.get": ({ path }) => tracks.get(path.id),
      "tracks.create": ({ payload: { workspaceId, reasoning, sessionId, ...fields } }) =>
        tracks.create({ workspaceId, fields, reasoning, sessionId }),
      "tracks.update": ({ path, payload: { reasoning, sessionId, expectedVersion, ...fields } }) =>
        tracks.update(path.id, fields, { reasoning, sessionId, expectedVersion }),
      "tracks.delete": ({ path }) => Effect.map(tracks.remove(path.id), deleteResponse)
    })
  )

const tools = (tracks: RecordOperations<Track>) =>
  implementTools(
    TrackTools,
    Effect.succeed({
      svc_list_tracks: (input) =>
        Effect.map(tracks.list(splitFilters(input, ["projectId", "status"])), (page) =>
          pagedAnswer(page, (found) => ({ tracks: found }))
        )
    })
  )

export const layer = Layer.unwrapEffect(
  Effect.map(governedRecords(Track), (tracks) => Layer.mergeAll(rest(tracks), tools(tracks)))
)
