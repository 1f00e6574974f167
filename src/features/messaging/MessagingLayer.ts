/** The Effect layers of the inbox: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { Messaging } from "./Messaging.ts"
import * as MessagingHandlers from "./MessagingHandlers.ts"

export const services = Messaging.layer.pipe(Layer.provide(PeopleLayer.services))

export const layer = MessagingHandlers.layer.pipe(Layer.provideMerge(services))
