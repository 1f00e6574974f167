/** Deliveries in memory. */
import { DateTime, Effect, Layer } from "effect"
import { MemoryDatabase, memoryTable, type Rows } from "../../platform/MemoryDatabase.ts"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import { membershipKey, membershipTable, personTable } from "../people/UserTables.ts"
import { recordTable } from "../records/RecordTable.ts"
import type { Claim, ClaimedDelivery, Delivery, DisabledReason, WebhookState } from "./Delivery.ts"
import { DeliveryStore, flyingMost, stopped, stopping } from "./DeliveryStore.ts"
import { Webhook } from "./Webhook.ts"

export const layer = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const { read, write } = yield* memoryStatements
    const { atomically, rows: current } = yield* MemoryDatabase
    const active = (rows: Rows) =>
      rows
        .all(recordTable(Webhook))
        .filter(
          ({ isArchived, record }) =>
            !isArchived && record.active && (rows.find(stateTable, record.id)?.disabledReason ?? null) === null
        )
    const isMember = (rows: Rows, userId: string, spaceId: string) =>
      rows.find(membershipTable, membershipKey({ userId, spaceId })) !== undefined
    const own = ({ reach, rows }: ReadContext, webhookId: string) =>
      rows
        .all(deliveryTable)
        .filter(
          (kept) =>
            kept.webhookId === webhookId &&
            kept.personId === reach.principal.personId &&
            reach.bounds("webhook", "read").spaces.includes(kept.spaceId)
        )
    /** The delivery if this attempt is still its last one. */
    const held = (at: ReadContext, { attempt, id, webhookId }: ClaimedDelivery) =>
      own(at, webhookId).find((kept) => kept.id === id && kept.attempt === attempt && kept.status === "pending")
    const isFlying = (kept: Stored, nowMs: number) => kept.status === "pending" && kept.leasedUntilMs > nowMs
    const ready = (all: ReadonlyArray<Stored>, nowMs: number) =>
      all
        .filter(({ webhookId }) => {
          return all.filter((other) => other.webhookId === webhookId && isFlying(other, nowMs)).length < flyingMost
        })
        .filter(
          (kept) =>
            kept.status === "pending" &&
            kept.dueAtMs <= nowMs &&
            !isFlying(kept, nowMs) &&
            !all.some(
              (other) =>
                other.webhookId === kept.webhookId &&
                other.subjectId === kept.subjectId &&
                other.status === "pending" &&
                other.seq < kept.seq
            )
        )
    return {
      since: Effect.map(current, (rows) =>
        active(rows)
          .map(({ record }) => record.createdAt)
          .reduce<DateTime.Utc | null>((least, at) => (least === null ? at : DateTime.min(least, at)), null)
      ),
      following: (spaceId) =>
        Effect.map(current, (rows) =>
          active(rows)
            .filter(
              ({ record, spaceId: home }) =>
                (home === spaceId || home === record.userId) && isMember(rows, record.userId, spaceId)
            )
            .map(({ record, spaceId: homeId }) => ({
              webhookId: record.id,
              personId: record.userId,
              homeId,
              eventTypes: record.eventTypes,
              lens: record.lens,
              createdAt: record.createdAt
            }))
        ),
      due: (most) =>
        Effect.gen(function* () {
          const rows = yield* current
          const nowMs = DateTime.toEpochMillis(yield* DateTime.now)
          const ids = new Set(active(rows).map(({ record }) => record.id))
          const waiting = ready(rows.all(deliveryTable), nowMs).filter(
            ({ personId, spaceId, webhookId }) =>
              ids.has(webhookId) &&
              isMember(rows, personId, spaceId) &&
              rows.find(personTable, personId)?.isSuspended === false
          )
          const persons = new Map(waiting.map(({ personId, webhookId }) => [webhookId, personId]))
          return [...persons].map(([webhookId, personId]) => ({ webhookId, personId })).slice(0, most)
        }),
      forgetOld: atomically((rows) =>
        Effect.map(DateTime.now, (now) => {
          const before = DateTime.toEpochMillis(DateTime.subtract(now, { days: 30 }))
          for (const { createdAt, id } of rows.all(deliveryTable)) {
            if (DateTime.toEpochMillis(createdAt) < before) rows.remove(deliveryTable, id)
          }
        })
      ),
      forgetFormerSecrets: atomically((rows) =>
        Effect.map(DateTime.now, (now) => {
          for (const kept of rows.all(recordTable(Webhook))) {
            const { formerSecretEnds } = kept.record
            if (formerSecretEnds === null || DateTime.greaterThan(formerSecretEnds, now)) continue
            const record = { ...kept.record, formerSecret: null, formerSecretEnds: null }
            rows.put(recordTable(Webhook), { ...kept, record })
          }
        })
      ),
      plan: (planned) =>
        write(({ now, reach, rows }) => {
          const isKnown = new Set(rows.all(deliveryTable).map(({ eventId, webhookId }) => `${webhookId} ${eventId}`))
          const { spaces } = reach.bounds("webhook", "read")
          let added = 0
          for (const each of planned) {
            if (isKnown.has(`${each.webhookId} ${each.eventId}`) || !spaces.includes(each.spaceId)) continue
            added += 1
            isKnown.add(`${each.webhookId} ${each.eventId}`)
            rows.put(deliveryTable, {
              ...each,
              personId: reach.principal.personId,
              status: "pending",
              attempt: 0,
              dueAtMs: DateTime.toEpochMillis(now),
              leasedUntilMs: 0,
              responseStatus: null,
              responseBody: null,
              error: null,
              deliveredAt: null,
              createdAt: now
            })
          }
          return Effect.succeed(added)
        }),
      claim: (webhookId, leaseSeconds) =>
        write((at) => {
          const nowMs = DateTime.toEpochMillis(at.now)
          if ((at.rows.find(stateTable, webhookId)?.disabledReason ?? null) !== null) return Effect.succeed(null)
          const [found] = ready(own(at, webhookId), nowMs).toSorted((one, other) => one.dueAtMs - other.dueAtMs)
          if (found === undefined) return Effect.succeed(null)
          const claimed = { ...found, attempt: found.attempt + 1, leasedUntilMs: nowMs + leaseSeconds * 1000 }
          at.rows.put(deliveryTable, claimed)
          const hasMore = own(at, webhookId).some(
            ({ dueAtMs, id, status }) => status === "pending" && dueAtMs <= nowMs && id !== found.id
          )
          return Effect.succeed<Claim | null>({ ...claimed, hasMore })
        }),
      release: (claimed) =>
        write((at) => {
          const found = held(at, claimed)
          if (found !== undefined)
            at.rows.put(deliveryTable, { ...found, attempt: found.attempt - 1, leasedUntilMs: 0 })
          return Effect.void
        }),
      settle: (claimed, ended) =>
        write((at) => {
          const { append, now, reach, rows } = at
          const found = held(at, claimed)
          if (found === undefined) return Effect.void
          const { disableAfterSeconds, isGone, pauseSeconds, ...outcome } = ended
          const { webhookId } = found
          const nowMs = DateTime.toEpochMillis(now)
          const isSuccess = outcome.status === "success"
          const dueAtMs = nowMs + pauseSeconds * 1000
          const deliveredAt = isSuccess ? now : null
          rows.put(deliveryTable, { ...found, ...outcome, dueAtMs, leasedUntilMs: 0, deliveredAt })
          const former = rows.find(stateTable, webhookId)
          const failingSince = isSuccess ? null : (former?.failingSince ?? now)
          const isFailing =
            failingSince !== null && nowMs - DateTime.toEpochMillis(failingSince) > disableAfterSeconds * 1000
          const disabledReason = isGone ? "gone" : isFailing ? "failing" : (former?.disabledReason ?? null)
          if (disabledReason !== null && (former?.disabledReason ?? null) === null) {
            append(found.homeId, stopped(claimed, ended), stopping)
          }
          rows.put(stateTable, {
            webhookId,
            spaceId: found.homeId,
            personId: reach.principal.personId,
            lastTriggeredAt: now,
            failingSince,
            disabledReason
          })
          return Effect.void
        }),
      drop: (id) =>
        write((at) => {
          const found = at.rows.find(deliveryTable, id)
          if (found !== undefined && own(at, found.webhookId).includes(found)) at.rows.remove(deliveryTable, id)
          return Effect.void
        }),
      again: (webhookId, id) =>
        write((at) => {
          const found = own(at, webhookId).find((kept) => kept.id === id)
          const nowMs = DateTime.toEpochMillis(at.now)
          if (found !== undefined && !isFlying(found, nowMs)) {
            at.rows.put(deliveryTable, { ...found, status: "pending", dueAtMs: nowMs, deliveredAt: null })
          }
          return Effect.succeed(found !== undefined)
        }),
      recover: (webhookId, since, most) =>
        write((at) => {
          const dueAtMs = DateTime.toEpochMillis(at.now)
          const failed = own(at, webhookId)
            .filter(({ createdAt, status }) => status === "failed" && DateTime.greaterThanOrEqualTo(createdAt, since))
            .slice(0, most)
          for (const kept of failed) at.rows.put(deliveryTable, { ...kept, status: "pending", dueAtMs })
          return Effect.succeed(failed.length)
        }),
      waiting: (webhookId) =>
        read((at) => Effect.succeed(own(at, webhookId).filter(({ status }) => status === "pending").length)),
      list: (webhookId, limit) =>
        read((at) => Effect.succeed(own(at, webhookId).toReversed().slice(0, limit).map(toDelivery))),
      states: (webhookIds) =>
        read(({ reach, rows }) =>
          Effect.succeed(
            rows
              .all(stateTable)
              .filter(
                ({ personId, spaceId, webhookId }) =>
                  personId === reach.principal.personId &&
                  reach.bounds("webhook", "read").spaces.includes(spaceId) &&
                  webhookIds.includes(webhookId)
              )
          )
        ),
      enable: (webhookId) =>
        write(({ reach, rows }) => {
          const found = rows.find(stateTable, webhookId)
          if (
            found?.personId === reach.principal.personId &&
            reach.bounds("webhook", "read").spaces.includes(found.spaceId)
          ) {
            rows.put(stateTable, { ...found, failingSince: null, disabledReason: null })
          }
          return Effect.void
        })
    }
  })
)

interface Stored
  extends ClaimedDelivery, Pick<Delivery, "status" | "responseBody" | "error" | "deliveredAt" | "createdAt"> {
  readonly personId: string
  readonly dueAtMs: number
  readonly leasedUntilMs: number
  readonly responseStatus: number | null
}

interface StoredState extends WebhookState {
  readonly spaceId: string
  readonly personId: string
  readonly failingSince: DateTime.Utc | null
  readonly disabledReason: DisabledReason | null
}

export const deliveryTable = memoryTable<Stored>("webhook_deliveries", ({ id }) => id)
const stateTable = memoryTable<StoredState>("webhook_states", ({ webhookId }) => webhookId)

const toDelivery = (kept: Stored): Delivery => ({
  id: kept.id,
  subscriptionId: kept.webhookId,
  eventId: kept.eventId,
  eventType: kept.eventType,
  status: kept.status,
  attempt: kept.attempt,
  responseStatus: kept.responseStatus === null ? null : String(kept.responseStatus),
  responseBody: kept.responseBody,
  error: kept.error,
  deliveredAt: kept.deliveredAt,
  nextAttemptAt: kept.status === "pending" ? DateTime.unsafeMake(kept.dueAtMs) : null,
  createdAt: kept.createdAt
})
