/** The Hub endpoints of a person's inbox: list conversations with unread counts, and mark them as read. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { rows, writes } from "../../doors/Door.ts"
import { described, idPath } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { ConversationQuery, Conversations, LinkedQuery, LinkedUnread, MarkReadResult } from "./Conversation.ts"

const readDoor = rows("hub-protocol.read", "messaging")

export const MessagingApi = HttpApiGroup.make("messaging")
  .annotate(OpenApi.Description, "Unread messages of a person.")
  .add(
    read("messaging.channels", {
      path: "/messaging/channels",
      query: ConversationQuery,
      success: pagedStruct(Conversations),
      door: readDoor,
      summary: "List the channels and threads that the caller may read, with the number of unread messages."
    })
  )
  .add(
    read("messaging.linkedUnread", {
      path: "/messaging/linked-unread",
      query: LinkedQuery,
      success: LinkedUnread,
      door: readDoor,
      summary: "List the channels and threads that are linked to an object and have unread messages."
    })
  )
  .add(
    write("messaging.read", {
      method: "PUT",
      path: "/messaging/channels/:id/read",
      params: idPath,
      query: Schema.Struct({
        messageId: described(
          "Id of the last message that the person has read. Default: the latest message.",
          Schema.optional(Id)
        )
      }),
      success: MarkReadResult,
      door: writes("hub-protocol.write", "messaging", ["update"]),
      summary:
        "Mark a thread, or a channel with its threads, as read up to a given message. Default: the latest message."
    })
  )
