/** The in-memory store of calls to webhooks. */
import { DateTime, Effect, Layer } from "effect"
import { memoryStatements, type ReadContext, type WriteContext } from "../events/EventTable.ts"
import {
  CallStore,
  type Claims,
  callsOfWebhookMax,
  disabledEvent,
  disablePassed,
  type Settled,
  type WebhookToDisable
} from "./CallStore.ts"
import { attemptBodyMax, attemptsKept, type ClaimedDelivery } from "./Delivery.ts"
import {
  deliveryTable,
  earlierOf,
  isDue,
  isInFlight,
  isOwnRow,
  ownDeliveries,
  stateTable,
  type StoredDelivery
} from "./DeliveryTable.ts"

export const layer = Layer.effect(
  CallStore,
  Effect.map(memoryStatements, ({ write }) => {
    /** Finds the stored delivery of this attempt, if the delivery is still pending and no later attempt has begun. */
    const claimedDelivery = (at: ReadContext, { attempt, id, webhookId }: ClaimedDelivery) =>
      ownDeliveries(at, webhookId).find(
        (delivery) => delivery.id === id && delivery.attempt === attempt && delivery.status === "pending"
      )
    /**
     * Makes the next delivery about the same subject due, now that this delivery no longer waits. Returns the webhook if
     * there is such a delivery.
     */
    const wakeNext = (at: WriteContext, ended: StoredDelivery): ReadonlyArray<string> => {
      const [next] = ownDeliveries(at, ended.webhookId)
        .filter(({ seq, status, subjectId }) => {
          return subjectId === ended.subjectId && status === "pending" && seq > ended.seq
        })
        .toSorted((one, other) => one.seq - other.seq)
      if (next === undefined) return []
      at.rows.put(deliveryTable, { ...next, dueAtMs: DateTime.toEpochMillis(at.now) })
      return [ended.webhookId]
    }
    return {
      claim: (webhookIds, limit, leaseSeconds) =>
        write((at) => {
          const nowMs = DateTime.toEpochMillis(at.now)
          const enabledIds = [...new Set(webhookIds)].filter(
            (id) => (at.rows.find(stateTable, id)?.disabledReason ?? null) === null
          )
          const leaseMs = leaseSeconds * 1000
          const roomOf = (id: string) =>
            callsOfWebhookMax - ownDeliveries(at, id).filter((delivery) => isInFlight(delivery, nowMs)).length
          const dueOf = (id: string) => ownDeliveries(at, id).filter((delivery) => isDue(delivery, nowMs))
          const claimed = enabledIds
            .flatMap((id) =>
              dueOf(id)
                .filter((delivery) => earlierOf(ownDeliveries(at, id), delivery) === undefined)
                .toSorted((one, other) => one.dueAtMs - other.dueAtMs || (one.id < other.id ? -1 : 1))
                .slice(0, Math.max(0, roomOf(id)))
                .map((delivery, place) => ({ delivery, place }))
            )
            .toSorted((one, other) => one.place - other.place || one.delivery.dueAtMs - other.delivery.dueAtMs)
            .slice(0, limit)
            .map(({ delivery }) => ({
              ...delivery,
              attempt: delivery.attempt + 1,
              leasedUntilMs: nowMs + leaseMs
            }))
          const putOff = enabledIds.flatMap((id) =>
            dueOf(id).flatMap((delivery): ReadonlyArray<StoredDelivery> => {
              const earlier = roomOf(id) > 0 ? earlierOf(ownDeliveries(at, id), delivery) : undefined
              if (earlier === undefined) return []
              return [{ ...delivery, dueAtMs: Math.max(earlier.dueAtMs, earlier.leasedUntilMs, nowMs + leaseMs) }]
            })
          )
          for (const delivery of [...claimed, ...putOff]) at.rows.put(deliveryTable, delivery)
          const idsWithMore = enabledIds.filter((id) => dueOf(id).length > 0)
          return Effect.succeed<Claims>({
            claimed,
            claimable: idsWithMore.filter((id) => roomOf(id) > 0),
            waiting: idsWithMore.filter((id) => roomOf(id) <= 0)
          })
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
          const claimable = new Set<string>()
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
            if (end.status !== "pending") for (const id of wakeNext(at, found)) claimable.add(id)
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
          return Effect.succeed<Settled>({ unwanted, claimable: [...claimable] })
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
            if (found === undefined || !ownDeliveries(at, found.webhookId).includes(found)) continue
            at.rows.remove(deliveryTable, id)
            wakeNext(at, found)
          }
          return Effect.void
        })
    }
  })
)
