/** The layers of webhooks: the delivery of events and the handlers. */
import { Layer } from "effect"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { PersonReach } from "../people/PersonReach.ts"
import { startDelivering } from "./Deliveries.ts"
import { SubscriberReach } from "./SubscriberReach.ts"
import * as WebhookHandlers from "./WebhookHandlers.ts"
import { Webhooks } from "./Webhooks.ts"

const reach = SubscriberReach.layer.pipe(
  Layer.provide(Layer.mergeAll(PersonReach.layer, PeopleLayer.services, KeyLayer.services))
)

const deliveries = Layer.scopedDiscard(startDelivering).pipe(Layer.provide(reach))

export const layer = Layer.merge(Layer.provide(WebhookHandlers.layer, Webhooks.layer), deliveries)
