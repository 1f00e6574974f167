/** The Effect layers of chat. They contain the services, and the handlers for chat clients and for OpenAI clients. */
import { Layer } from "effect"
import * as ConversationLayer from "../conversations/ConversationLayer.ts"
import * as RetrievalLayer from "../retrieval/RetrievalLayer.ts"
import { EventWatch } from "../events/EventWatch.ts"
import { Chat } from "./Chat.ts"
import * as ExternalChatHandlers from "./ExternalChatHandlers.ts"
import { ChatTurns } from "./ChatTurns.ts"
import * as OpenAiHandlers from "./OpenAiHandlers.ts"

const services = ChatTurns.layer.pipe(
  Layer.provideMerge(Chat.layer),
  Layer.provide(Layer.merge(RetrievalLayer.services, EventWatch.layer)),
  Layer.provideMerge(ConversationLayer.services)
)

export const layer = Layer.mergeAll(ExternalChatHandlers.layer, OpenAiHandlers.layer).pipe(Layer.provide(services))
