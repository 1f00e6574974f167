/**
 * Reads the calls of a delivery. The result contains the sent body only if the caller may read the event. The rights
 * are the same as for a read of the event log.
 */
import { Effect } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Reach } from "../../doors/Reach.ts"
import { doorRefusal } from "../access/Admission.ts"
import { eventsDoor } from "../events/Event.ts"
import { EventLog } from "../events/EventLog.ts"
import type { DeliveryAttempt, DeliveryCalls } from "./Delivery.ts"
import { DeliveryStore } from "./DeliveryStore.ts"

export const readableCalls = Effect.gen(function* () {
  const store = yield* DeliveryStore
  const events = yield* EventLog

  const mayReadBody = Effect.fnUntraced(function* ({ eventId, isTest }: DeliveryCalls) {
    // The body of a test contains only data of the webhook.
    if (isTest) return true
    const { principal } = yield* Reach
    return doorRefusal(principal, eventsDoor) === null && (yield* events.listByIds([eventId])).length > 0
  })

  return Effect.fnUntraced(function* (webhookId: string, deliveryId: string) {
    const calls = (yield* store.attempts(webhookId, deliveryId)) ?? (yield* missingRecord("delivery"))
    if (yield* mayReadBody(calls)) return calls.attempts
    return calls.attempts.map((attempt): DeliveryAttempt => ({ ...attempt, requestBody: null }))
  })
})
