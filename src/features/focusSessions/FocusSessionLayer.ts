/** The Effect layers of focus sessions: `services` has what other features use, and `layer` also has the handlers. */
import { Layer } from "effect"
import * as ConversationLayer from "../conversations/ConversationLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as FocusSessionHandlers from "./FocusSessionHandlers.ts"
import { FocusSessions } from "./FocusSessions.ts"

export const services = FocusSessions.layer.pipe(
  Layer.provide(Layer.mergeAll(PeopleLayer.services, ConversationLayer.services))
)

export const layer = FocusSessionHandlers.layer.pipe(Layer.provideMerge(services))
