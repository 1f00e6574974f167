/** The Effect layer of proactive posts: it connects the handler with the service. */
import { Layer } from "effect"
import * as AccessLayer from "../access/AccessLayer.ts"
import * as ConversationLayer from "../conversations/ConversationLayer.ts"
import * as NotificationLayer from "../notifications/NotificationLayer.ts"
import * as ProactiveHandlers from "./ProactiveHandlers.ts"
import { ProactivePosts } from "./ProactivePosts.ts"

export const layer = ProactiveHandlers.layer.pipe(
  Layer.provide(ProactivePosts.layer),
  Layer.provide(Layer.mergeAll(AccessLayer.services, ConversationLayer.services, NotificationLayer.services))
)
