/** The in-memory store of calls to webhooks. */
import { DateTime, Effect, Layer } from "effect"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import {
  CallStore,
  type Claims,
  callsOfWebhookMax,
  disabledEvent,
  disablePassed,
  type WebhookToDisable
} from "./CallStore.ts"
import { attemptBodyMax, attemptsKept, type ClaimedDelivery } from "./Delivery.ts"
import { deliveryTable, isDue, isInFlight, isOwnRow, ownDeliveries, ready, stateTable } from "./DeliveryTable.ts"

export const layer = Layer.effect(
  CallStore,
  Effect.map(memoryStatements, ({ write }) => {
    /** Finds the stored delivery of this attempt, if the delivery is still pending and no later attempt has begun. */
    const claimedDelivery = (at: ReadContext, { attempt, id, webhookId }: ClaimedDelivery) =>
      ownDeliveries(at, webhookId).find(
        (delivery) => delivery.id === id && delivery.attempt === attempt && delivery.status === "pending"
      )
    return {
      claim: (webhookIds, limit, leaseSeconds) =>
        write((at) => {
          const nowMs = DateTime.toEpochMillis(at.now)
          const enabledIds = [...new Set(webhookIds)].filter(
            (id) => (at.rows.find(stateTable, id)?.disabledReason ?? null) === null
          )
          const claimed = enabledIds
            .flatMap((id) => {
              const all = ownDeliveries(at, id)
              const room = callsOfWebhookMax - all.filter((delivery) => isInFlight(delivery, nowMs)).length
              return ready(all, nowMs)
                .toSorted((one, other) => one.dueAtMs - other.dueAtMs || (one.id < other.id ? -1 : 1))
                .slice(0, Math.max(0, room))
                .map((delivery, place) => ({ delivery, place }))
            })
            .toSorted((one, other) => one.place - other.place || one.delivery.dueAtMs - other.delivery.dueAtMs)
            .slice(0, limit)
            .map(({ delivery }) => ({
              ...delivery,
              attempt: delivery.attempt + 1,
              leasedUntilMs: nowMs + leaseSeconds * 1000
            }))
          for (const delivery of claimed) at.rows.put(deliveryTable, delivery)
          const isClaimed = new Set(claimed.map(({ id }) => id))
          const waiting = enabledIds.filter((webhookId) =>
            ownDeliveries(at, webhookId).some((delivery) => isDue(delivery, nowMs) && !isClaimed.has(delivery.id))
          )
          return Effect.succeed<Claims>({ claimed, waiting })
        }),
      release: (claimed) =>
        write((at) => {
          for (const each of claimed) {
            const found = claimedDelivery(at, each)
            if (found === undefined) continue
            at.rows.put(deliveryTable, { ...found, attempt: found.attempt - 1, leasedUntilMs: 0 })
          }
          return Effect.void
        }),
      storeResults: (ended, disableAfterSeconds) =>
        write((at) => {
          const { now, reach, rows } = at
          const nowMs = DateTime.toEpochMillis(now)
          const gone = new Set<string>()
          const touched = new Set<string>()
          for (const { claimed, outcome } of ended) {
            const found = claimedDelivery(at, claimed)
            if (found === undefined) continue
            const { isGone, latencyMs, pauseSeconds, request, responseHeaders, startedAt, ...end } = outcome
            const attempt = {
              attempt: found.attempt,
              at: startedAt,
              latencyMs,
              requestHeaders: request.headers,
              requestBody: request.bodyStart + request.bodyEnd,
              requestBodyTruncated: request.isCut,
              responseStatus: end.responseStatus === null ? null : String(end.responseStatus),
              responseHeaders,
              responseBody: end.responseBody?.slice(0, attemptBodyMax) ?? null,
              error: end.error
            }
            const { webhookId } = found
            const isSuccess = end.status === "success"
            const dueAtMs = nowMs + pauseSeconds * 1000
            rows.put(deliveryTable, {
              ...found,
              ...end,
              attempts: [...found.attempts, attempt].slice(-attemptsKept),
              endedAtMs: nowMs,
              latencyMs,
              dueAtMs,
              leasedUntilMs: 0,
              deliveredAt: isSuccess ? now : null
            })
            const former = rows.find(stateTable, webhookId)
            rows.put(stateTable, {
              webhookId,
              spaceId: found.homeId,
              personId: reach.principal.personId,
              lastTriggeredAt: now,
              failingSince: isSuccess ? null : (former?.failingSince ?? now),
              disabledReason: former?.disabledReason ?? null
            })
            touched.add(webhookId)
            if (isGone) gone.add(webhookId)
          }
          const unwanted = [...touched].flatMap((webhookId): ReadonlyArray<WebhookToDisable> => {
            const { disabledReason = null, failingSince = null } = rows.find(stateTable, webhookId) ?? {}
            if (disabledReason !== null) return []
            if (gone.has(webhookId)) return [{ webhookId, reason: "gone" }]
            const isFailing =
              failingSince !== null && nowMs - DateTime.toEpochMillis(failingSince) > disableAfterSeconds * 1000
            return isFailing ? [{ webhookId, reason: "failing" }] : []
          })
          return Effect.succeed(unwanted)
        }),
      stop: (unwanted) =>
        write(({ append, reach, rows }) => {
          const found = rows.find(stateTable, unwanted.webhookId)
          if (found === undefined || !isOwnRow(reach, found) || found.disabledReason !== null) return Effect.void
          rows.put(stateTable, { ...found, disabledReason: unwanted.reason })
          append(found.spaceId, disabledEvent(unwanted), disablePassed)
          return Effect.void
        }),
      drop: (ids) =>
        write((at) => {
          for (const id of ids) {
            const found = at.rows.find(deliveryTable, id)
            if (found !== undefined && ownDeliveries(at, found.webhookId).includes(found))
              at.rows.remove(deliveryTable, id)
          }
          return Effect.void
        })
    }
  })
)
