/** The Hub endpoints of channels. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath, DeleteResponse } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { Channel, ChannelChange, ChannelDraft, ChannelQuery } from "./Channel.ts"

export const ChannelApi = HttpApiGroup.make("channels")
  .annotate(OpenApi.Description, "Channels: groups of threads.")
  .add(
    read("channels.list", {
      path: "/channels",
      query: ChannelQuery,
      success: pageOf(Channel.schema),
      door: rows("hub-protocol.read", "channel"),
      summary: "List the channels that the caller may read, latest change first."
    })
  )
  .add(
    read("channels.get", {
      path: "/channels/:id",
      params: idPath,
      success: Channel.schema,
      errors: [NotFound],
      door: fullGrantInSpaces("hub-protocol.read"),
      summary: "Read one channel."
    })
  )
  .add(
    write("channels.create", {
      method: "POST",
      path: "/channels",
      payload: ChannelDraft,
      success: Channel.schema,
      door: writes("hub-protocol.write", "channel", ["create"]),
      summary: "Create a channel."
    })
  )
  .add(
    write("channels.update", {
      method: "PATCH",
      path: "/channels/:id",
      params: idPath,
      payload: ChannelChange,
      success: Channel.schema,
      door: writes("hub-protocol.write", "channel", ["update"]),
      summary: "Change a channel."
    })
  )
  .add(
    write("channels.delete", {
      method: "DELETE",
      path: "/channels/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "channel", ["delete"]),
      summary: "Archive a channel. The threads of the channel stay."
    })
  )
