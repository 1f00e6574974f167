/** The Hub endpoints of tracks: read, create, update and delete them. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath, DeleteResponse } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { Track, TrackChange, TrackDraft, TrackQuery } from "./Track.ts"

const readDoor = rows("hub-protocol.read", "track")

export const TrackApi = HttpApiGroup.make("tracks")
  .annotate(OpenApi.Description, "Tracks: lines of work that take a long time.")
  .add(
    read("tracks.list", {
      path: "/tracks",
      query: TrackQuery,
      success: pageOf(Track.schema),
      door: readDoor,
      summary: "List the tracks that the caller may read, latest change first."
    })
  )
  .add(
    read("tracks.get", {
      path: "/tracks/:id",
      params: idPath,
      success: Track.schema,
      errors: [NotFound],
      door: readDoor,
      showsProbes: true,
      summary: "Read one track."
    })
  )
  .add(
    write("tracks.create", {
      method: "POST",
      path: "/tracks",
      payload: TrackDraft,
      success: Track.schema,
      door: writes("hub-protocol.write", "track", ["create"]),
      summary: "Create a track."
    })
  )
  .add(
    write("tracks.update", {
      method: "PATCH",
      path: "/tracks/:id",
      params: idPath,
      payload: TrackChange,
      success: Track.schema,
      door: writes("hub-protocol.write", "track", ["update"]),
      summary: "Change a track."
    })
  )
  .add(
    write("tracks.delete", {
      method: "DELETE",
      path: "/tracks/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "track", ["delete"]),
      summary: "Archive a track."
    })
  )
