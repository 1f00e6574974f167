/** The in-memory store of deliveries. */
import { DateTime, Effect, Layer } from "effect"
import { MemoryDatabase, type Rows } from "../../platform/MemoryDatabase.ts"
import { earliestOf } from "../../platform/RowTimes.ts"
import { memoryStatements } from "../events/EventTable.ts"
import { personTable, roleOf } from "../people/UserTables.ts"
import { readRecords, recordTable } from "../records/RecordTable.ts"
import { countedMax } from "../../doors/Page.ts"
import { figuresHours, figuresShare } from "./Delivery.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import {
  deliveryTable,
  isInFlight,
  isOwnRow,
  ownDeliveries,
  dueWithRoom,
  stateTable,
  toDelivery
} from "./DeliveryTable.ts"
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
    return {
      since: Effect.map(current, (rows) => earliestOf(active(rows).map(({ record }) => record.createdAt))),
      followersOf: (spaceId) =>
        Effect.map(current, (rows) =>
          active(rows)
            .filter(
              ({ record, spaceId: home }) =>
                (home === spaceId || home === record.userId) && roleOf(rows, record.userId, spaceId) !== null
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
      due: Effect.fnUntraced(function* (limit) {
        const rows = yield* current
        const nowMs = DateTime.toEpochMillis(yield* DateTime.now)
        const ids = new Set(active(rows).map(({ record }) => record.id))
        const waiting = dueWithRoom(rows.all(deliveryTable), nowMs).filter(
          ({ personId, spaceId, webhookId }) =>
            ids.has(webhookId) &&
            roleOf(rows, personId, spaceId) !== null &&
            rows.find(personTable, personId)?.isSuspended === false
        )
        const persons = new Map(
          waiting
            .toSorted((one, other) => one.dueAtMs - other.dueAtMs)
            .map(({ personId, webhookId }) => [webhookId, personId])
        )
        const places = new Map<string, number>()
        return [...persons]
          .map(([webhookId, personId]) => {
            const place = places.get(personId) ?? 0
            places.set(personId, place + 1)
            return { webhookId, personId, place }
          })
          .toSorted((one, other) => one.place - other.place)
          .slice(0, limit)
          .map(({ personId, webhookId }) => ({ webhookId, personId }))
      }),
      forgetOld: atomically((rows) =>
        Effect.map(DateTime.now, (now) => {
          const before = DateTime.toEpochMillis(DateTime.subtract(now, { days: 30 }))
          for (const { createdAt, id, personId, spaceId, status } of rows.all(deliveryTable)) {
            const hasLeft = status === "pending" && roleOf(rows, personId, spaceId) === null
            if (hasLeft || DateTime.toEpochMillis(createdAt) < before) rows.remove(deliveryTable, id)
          }
        })
      ),
      forgetFormerSecrets: atomically((rows) =>
        Effect.map(DateTime.now, (now) => {
          for (const row of rows.all(recordTable(Webhook))) {
            const { formerSecretEnds } = row.record
            if (formerSecretEnds === null || DateTime.greaterThan(formerSecretEnds, now)) continue
            const record = { ...row.record, formerSecret: null, formerSecretEnds: null }
            rows.put(recordTable(Webhook), { ...row, record })
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
              attempts: [],
              endedAtMs: null,
              latencyMs: null,
              createdAt: now
            })
          }
          return Effect.succeed(added)
        }),
      makeDue: (webhookId, id) =>
        write((at) => {
          const found = ownDeliveries(at, webhookId).find((delivery) => delivery.id === id)
          const nowMs = DateTime.toEpochMillis(at.now)
          if (found !== undefined && !isInFlight(found, nowMs)) {
            at.rows.put(deliveryTable, { ...found, status: "pending", dueAtMs: nowMs, deliveredAt: null })
          }
          return Effect.succeed(found !== undefined)
        }),
      recover: (webhookId, since, limit) =>
        write((at) => {
          const dueAtMs = DateTime.toEpochMillis(at.now)
          const failed = ownDeliveries(at, webhookId)
            .filter(({ endedAtMs, status }) => status === "failed" && (endedAtMs ?? 0) >= since.epochMillis)
            .slice(0, limit)
          for (const delivery of failed) at.rows.put(deliveryTable, { ...delivery, status: "pending", dueAtMs })
          return Effect.succeed(failed.length)
        }),
      waiting: (webhookId) =>
        read((at) => Effect.succeed(ownDeliveries(at, webhookId).filter(({ status }) => status === "pending").length)),
      list: (webhookId, { cursor, limit, offset = 0, since, until }) =>
        read((at) =>
          Effect.succeed(
            ownDeliveries(at, webhookId)
              .filter(
                ({ createdAt, id }) =>
                  (cursor === undefined || id < cursor.id) &&
                  (since === undefined || DateTime.greaterThanOrEqualTo(createdAt, since)) &&
                  (until === undefined || DateTime.lessThanOrEqualTo(createdAt, until))
              )
              .toReversed()
              .slice(offset, offset + limit)
              .map(toDelivery)
          )
        ),
      latest: (webhookIds, limit) =>
        read((at) =>
          Effect.succeed(webhookIds.flatMap((id) => ownDeliveries(at, id).toReversed().slice(0, limit).map(toDelivery)))
        ),
      attempts: (webhookId, id) =>
        read((at) => Effect.succeed(ownDeliveries(at, webhookId).find((delivery) => delivery.id === id))),
      figures: (keyIds) =>
        read((at) => {
          const sinceMs = DateTime.toEpochMillis(at.now) - figuresHours * 3_600_000
          return Effect.succeed(
            readRecords(at.rows, at.reach, Webhook).flatMap(({ id: subscriptionId, keyId: maker }) => {
              const all = ownDeliveries(at, subscriptionId)
              if (all.length === 0 || (keyIds !== null && !keyIds.includes(maker ?? ""))) return []
              const called = all
                .filter(({ endedAtMs }) => endedAtMs !== null && endedAtMs > sinceMs)
                .toSorted((one, other) => (other.endedAtMs ?? 0) - (one.endedAtMs ?? 0) || (one.id < other.id ? 1 : -1))
                .slice(0, countedMax)
              const latencies = called.flatMap(({ latencyMs }) => latencyMs ?? []).toSorted((one, other) => one - other)
              const next = all.filter(({ status }) => status === "pending").map(({ dueAtMs }) => dueAtMs)
              return [
                {
                  subscriptionId,
                  ended: called.filter(({ status }) => status !== "pending").length,
                  arrived: called.filter(({ status }) => status === "success").length,
                  retrying: called.filter(({ status }) => status === "pending").length,
                  p95Ms: latencies[Math.ceil(figuresShare * latencies.length) - 1] ?? null,
                  nextAttemptAt: next.length === 0 ? null : DateTime.unsafeMake(Math.min(...next))
                }
              ]
            })
          )
        }),
      states: (webhookIds) =>
        read(({ reach, rows }) =>
          Effect.succeed(
            rows.all(stateTable).filter((state) => isOwnRow(reach, state) && webhookIds.includes(state.webhookId))
          )
        ),
      enable: (webhookId) =>
        write(({ reach, rows }) => {
          const found = rows.find(stateTable, webhookId)
          if (found !== undefined && isOwnRow(reach, found)) {
            rows.put(stateTable, { ...found, failingSince: null, disabledReason: null })
          }
          return Effect.void
        })
    }
  })
)
