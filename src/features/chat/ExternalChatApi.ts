/** The endpoints that chat clients call. The pod stores the conversations. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { everyKind, rows, writes, writesAndReads } from "../../doors/Door.ts"
import { NoProvider, UpstreamFailed, UpstreamTimedOut } from "../../doors/Failure.ts"
import { externalMount } from "../../doors/Mounts.ts"
import { retrievedSubjects } from "../retrieval/RetrievalDoor.ts"
import { ChatChannel, ChatChannelQuery, ChatFrame, ChatTurn, ChatTurnRequest } from "./ChatTurn.ts"

const asking = everyKind("chat.stream", [...retrievedSubjects, "channel"], { isRowBounded: true })

export const ExternalChatApi = HttpApiGroup.make("chat")
  .annotate(OpenApi.Description, "Chat with the pod in a channel. The pod stores each question and answer as messages.")
  .add(
    read("chat.channels", {
      path: `${externalMount}/chat/channels`,
      query: ChatChannelQuery,
      success: Schema.Array(ChatChannel),
      door: rows("chat.stream", "channel"),
      summary: "List the channels in which the caller may chat, latest message first."
    })
  )
  .add(
    write("chat.turn", {
      method: "POST",
      path: `${externalMount}/chat/stream`,
      payload: ChatTurnRequest,
      success: ChatTurn,
      frames: ChatFrame,
      errors: [NoProvider, UpstreamFailed, UpstreamTimedOut],
      door: writesAndReads(writes("chat.stream", "channel", ["create"], undefined, "message"), asking),
      summary: "Send a message to the pod, and get the answer in parts while the model writes it."
    })
  )
