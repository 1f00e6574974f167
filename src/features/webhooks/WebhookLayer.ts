/**
 * Defines two Effect layers for webhooks. Other features use `services`. The pod runs `layer`, which has the handlers
 * and delivers the events.
 */
import { Effect, Layer, Queue } from "effect"
import * as AccessLayer from "../access/AccessLayer.ts"
import * as KeyLayer from "../keys/KeyLayer.ts"
import { startDelivering } from "./Deliveries.ts"
import { startPlanning } from "./Planning.ts"
import { startReplaying } from "./Replays.ts"
import { SubscriberReach } from "./SubscriberReach.ts"
import * as WebhookHandlers from "./WebhookHandlers.ts"
import { Webhooks } from "./Webhooks.ts"

const reach = SubscriberReach.layer.pipe(Layer.provide(AccessLayer.services))

const deliveries = Layer.scopedDiscard(
  Effect.gen(function* () {
    const plannedSignals = yield* Queue.sliding<void>(1)
    yield* startDelivering(Queue.take(plannedSignals))
    const wake = Effect.asVoid(Queue.offer(plannedSignals, undefined))
    yield* startReplaying(wake)
    yield* startPlanning(wake)
  })
).pipe(Layer.provide(reach))

export const services = Webhooks.layer.pipe(Layer.provide(KeyLayer.services))

export const layer = Layer.merge(Layer.provide(WebhookHandlers.layer, services), deliveries)
