/** The layers of webhooks: the delivery of events and the handlers. */
import { Layer } from "effect"
import * as AccessLayer from "../access/AccessLayer.ts"
import { startDelivering } from "./Deliveries.ts"
import { SubscriberReach } from "./SubscriberReach.ts"
import * as WebhookHandlers from "./WebhookHandlers.ts"
import { Webhooks } from "./Webhooks.ts"

const reach = SubscriberReach.layer.pipe(Layer.provide(AccessLayer.services))

const deliveries = Layer.scopedDiscard(startDelivering).pipe(Layer.provide(reach))

/** The service that other features use. */
export const services = Webhooks.layer

export const layer = Layer.merge(Layer.provide(WebhookHandlers.layer, services), deliveries)
