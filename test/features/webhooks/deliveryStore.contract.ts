/**
 * What the store of deliveries guarantees on each engine: each event gets one delivery to a webhook, and a former
 * secret is valid only until its end time.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer, TestClock } from "effect"
import type { PagePlace } from "../../../src/doors/PageOrder.ts"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { attemptBodyMax, attemptsKept, type ClaimedDelivery } from "../../../src/features/webhooks/Delivery.ts"
import { DeliveryStore } from "../../../src/features/webhooks/DeliveryStore.ts"
import { Webhook } from "../../../src/features/webhooks/Webhook.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMoment } from "../../support/aMoment.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { anOutcome, aPlannedDelivery, claimedBy, inStore, settledBy } from "./deliveryCalls.ts"

/** Stores a webhook directly, without the checks of the service. */
const aWebhook = (reach: ReachShape, spaceId: string, more: Partial<Webhook> = {}) => {
  const id = uuidv7()
  const fields = {
    name: "Test",
    url: "https://hooks.example.com/in",
    eventTypes: ["*"],
    lens: "all" as const,
    secret: "secret",
    formerSecret: null,
    formerSecretEnds: null,
    active: true,
    retryConfig: { maxRetries: 3 },
    keyId: null,
    lastTriggeredAt: null,
    ...more
  }
  const event = { type: "webhook.create", subjectId: id, data: {} }
  const added = Effect.flatMap(Records, ({ add }) => add(Webhook, { id, spaceId, fields }, event, aPassed))
  return withReach(reach)(Effect.as(added, id))
}

export const deliveryStoreContract = (stores: Layer.Layer<Stores>): void => {
  const check = (name: string, body: () => Effect.Effect<void, unknown, Stores>) =>
    it.effect(name, () => Effect.provide(body(), stores))

  check("an event gives a webhook only one delivery, even if the delivery store gets the planned delivery twice", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const webhookId = uuidv7()
      const one = aPlannedDelivery(spaceId, webhookId)
      yield* inStore(reach, ({ plan }) => plan([one]))
      yield* inStore(reach, ({ plan }) => plan([{ ...one, id: uuidv7() }]))
      const listed = yield* inStore(reach, ({ list }) => list(webhookId, { limit: 10, offset: 0 }))
      assert.deepStrictEqual(
        listed.map(({ id }) => id),
        [one.id]
      )
    })
  )

  check(
    "if a person has many webhooks with due deliveries, the webhook of another person is found before the second webhook of this person",
    () =>
      Effect.gen(function* () {
        const [busy, quiet] = [yield* aMember(), yield* aMember()]
        const hooks = yield* Effect.forEach(upTo(3), () => aWebhook(busy.reach, busy.spaceId))
        const quietHook = yield* aWebhook(quiet.reach, quiet.spaceId)
        for (const id of hooks) yield* inStore(busy.reach, ({ plan }) => plan([aPlannedDelivery(busy.spaceId, id)]))
        yield* inStore(quiet.reach, ({ plan }) => plan([aPlannedDelivery(quiet.spaceId, quietHook)]))
        const dueOf = Effect.map(
          Effect.flatMap(DeliveryStore, ({ due }) => due(1000)),
          (all) => all.map(({ webhookId }) => webhookId).filter((id) => [...hooks, quietHook].includes(id))
        )
        const found = yield* dueOf
        assert.sameMembers(found.slice(0, 2), [hooks[0], quietHook])
        assert.deepStrictEqual(found.slice(2), hooks.slice(1))
        const { claimed } = yield* claimedBy(busy.reach, hooks)
        assert.lengthOf(claimed, 3)
        assert.deepStrictEqual(yield* dueOf, [quietHook])
      })
  )

  check("the delivery store returns a page of deliveries, latest first, after an offset or after a cursor", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const webhookId = uuidv7()
      const planned = Array.from({ length: 5 }, () => aPlannedDelivery(spaceId, webhookId))
      for (const one of planned) yield* inStore(reach, ({ plan }) => plan([one]))
      const ids = planned.map(({ id }) => id).toReversed()
      const idsAt = (place: PagePlace) =>
        Effect.map(
          inStore(reach, ({ list }) => list(webhookId, place)),
          (found) => found.map(({ id }) => id)
        )
      assert.deepStrictEqual(yield* idsAt({ limit: 2, offset: 0 }), ids.slice(0, 2))
      assert.deepStrictEqual(yield* idsAt({ limit: 2, offset: 3 }), ids.slice(3))
      const cursor = { at: null, id: ids[1] ?? "" }
      assert.deepStrictEqual(yield* idsAt({ limit: 2, offset: 0, cursor }), ids.slice(2, 4))
      assert.deepStrictEqual(yield* idsAt({ limit: 2, offset: 5 }), [])
    })
  )

  check(
    "the delivery store returns the latest deliveries of each of several webhooks, latest first, and only to the person who owns these webhooks",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const stranger = yield* aMember()
        const [first, second] = [uuidv7(), uuidv7()]
        const planned = [first, second, first, second, first].map((webhookId) => aPlannedDelivery(spaceId, webhookId))
        for (const one of planned) yield* inStore(reach, ({ plan }) => plan([one]))
        const idsOf = (reader: typeof reach, ...webhookIds: ReadonlyArray<string>) =>
          Effect.map(
            inStore(reader, ({ latest }) => latest(webhookIds, 2)),
            (found) => found.map(({ id }) => id)
          )
        const expected = [planned[3], planned[1], planned[4], planned[2]].map(({ id }) => id)
        assert.deepStrictEqual(yield* idsOf(reach, second, uuidv7(), first), expected)
        assert.deepStrictEqual(yield* idsOf(stranger.reach, second, first), [])
        assert.deepStrictEqual(yield* idsOf(reach), [])
      })
  )

  check(
    "the delivery store keeps the latest calls of a delivery, and returns these calls only to the person who owns the webhook",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const stranger = yield* aMember()
        const webhookId = uuidv7()
        const one = aPlannedDelivery(spaceId, webhookId)
        yield* inStore(reach, ({ plan }) => plan([one]))
        const before = yield* inStore(reach, ({ attempts }) => attempts(webhookId, one.id))
        assert.deepStrictEqual(before?.attempts, [])
        const calls = attemptsKept + 2
        for (const attempt of upTo(calls)) {
          const { claimed } = yield* claimedBy(reach, [webhookId], 1)
          assert.lengthOf(claimed, 1)
          const isLast = attempt === calls
          yield* settledBy(reach, [
            {
              claimed: claimed[0],
              outcome: anOutcome({
                status: isLast ? "success" : "pending",
                responseStatus: isLast ? 204 : null,
                responseHeaders: isLast ? { server: "nginx" } : null,
                responseBody: isLast ? "x".repeat(attemptBodyMax + 1) : null,
                error: isLast ? null : "no connection",
                latencyMs: attempt
              })
            }
          ])
        }
        const kept = (yield* inStore(reach, ({ attempts }) => attempts(webhookId, one.id)))?.attempts ?? []
        assert.deepStrictEqual(
          kept.map(({ attempt, latencyMs }) => [attempt, latencyMs]),
          upTo(calls)
            .slice(2)
            .map((attempt) => [attempt, attempt])
        )
        const failed = { responseStatus: null, responseHeaders: null, responseBody: null, error: "no connection" }
        assert.deepInclude(kept[0], failed)
        assert.deepInclude(kept.at(-1), {
          responseStatus: "204",
          error: null,
          responseHeaders: { server: "nginx" },
          responseBody: "x".repeat(attemptBodyMax)
        })
        assert.strictEqual(DateTime.toEpochMillis(kept[0].at), 0)
        assert.isUndefined(yield* inStore(stranger.reach, ({ attempts }) => attempts(webhookId, one.id)))
        assert.isUndefined(yield* inStore(reach, ({ attempts }) => attempts(uuidv7(), one.id)))
      })
  )

  check(
    "the statistics of a webhook count its ended deliveries, and show the time within which 95 of 100 calls ended",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const stranger = yield* aMember()
        const webhookId = yield* aWebhook(reach, spaceId)
        yield* aWebhook(reach, spaceId)
        const planned = upTo(20).map((seq) => aPlannedDelivery(spaceId, webhookId, { seq }))
        yield* inStore(reach, ({ plan }) => plan(planned))
        const ended: Array<ClaimedDelivery> = []
        while (ended.length < 20) {
          const { claimed } = yield* claimedBy(reach, [webhookId], 4)
          yield* settledBy(
            reach,
            claimed.map((each, at) => {
              const number = ended.length + at + 1
              const status = number === 20 ? "pending" : number > 16 ? "failed" : "success"
              return { claimed: each, outcome: anOutcome({ status, pauseSeconds: 600, latencyMs: number * 10 }) }
            })
          )
          ended.push(...claimed)
        }
        const [figures, ...others] = yield* inStore(reach, (store) => store.figures(null))
        assert.deepStrictEqual(others, [])
        assert.deepInclude(figures, { subscriptionId: webhookId, ended: 19, arrived: 16, retrying: 1, p95Ms: 190 })
        assert.isNotNull(figures?.nextAttemptAt)
        assert.deepStrictEqual(yield* inStore(stranger.reach, (store) => store.figures(null)), [])
      })
  )

  check(
    "the delivery statistics leave out webhooks that were deleted, that another key made, or that the grant of the caller does not cover",
    () =>
      Effect.gen(function* () {
        const { personId, reach, spaceId } = yield* aMember()
        const keyId = uuidv7()
        const [plain, ofKey, ofOther, deleted] = [
          yield* aWebhook(reach, spaceId),
          yield* aWebhook(reach, spaceId, { keyId }),
          yield* aWebhook(reach, spaceId, { keyId: uuidv7() }),
          yield* aWebhook(reach, spaceId)
        ]
        const planned = [plain, ofKey, ofOther, deleted].map((id) => aPlannedDelivery(spaceId, id))
        yield* inStore(reach, ({ plan }) => plan(planned))
        const event = { type: "webhook.delete", subjectId: deleted, data: {} }
        yield* withReach(reach)(Effect.flatMap(Records, ({ remove }) => remove(Webhook, deleted, null, event, aPassed)))
        const withFigures = (of: ReachShape, keyIds: ReadonlyArray<string> | null) =>
          Effect.map(
            inStore(of, ({ figures }) => figures(keyIds)),
            (all) => all.map(({ subscriptionId }) => subscriptionId)
          )
        assert.sameMembers(yield* withFigures(reach, null), [plain, ofKey, ofOther])
        assert.deepStrictEqual(yield* withFigures(reach, [keyId]), [ofKey])
        const elsewhere = aReach({ personId, spaces: [spaceId], grant: { workspaceIds: [uuidv7()] } })
        assert.deepStrictEqual(yield* withFigures(elsewhere, null), [])
        const onlyOne = aReach({ personId, spaces: [spaceId], grant: { entityIds: [plain] } })
        assert.deepStrictEqual(yield* withFigures(onlyOne, null), [plain])
      })
  )

  check("the delivery statistics cover every webhook of a person, even if the person has more than 200 webhooks", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const ids = yield* Effect.forEach(upTo(203), () => aWebhook(reach, spaceId))
      const planned = ids.map((id) => aPlannedDelivery(spaceId, id))
      yield* inStore(reach, ({ plan }) => plan(planned))
      const all = yield* inStore(reach, ({ figures }) => figures(null))
      assert.sameMembers(
        all.map(({ subscriptionId }) => subscriptionId),
        ids
      )
      assert.isTrue(all.every(({ nextAttemptAt }) => nextAttemptAt !== null))
    })
  )

  check(
    "the recovery of a webhook repeats the deliveries that failed since the given time, even deliveries that were created before this time",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const webhookId = uuidv7()
        const [early, late, arrived, marker] = upTo(4).map((seq) => aPlannedDelivery(spaceId, webhookId, { seq }))
        // Two stored times must differ by at least a millisecond. So this effect moves the test clock, and waits for
        // the clock of a database.
        const aWhile = Effect.zipRight(TestClock.adjust("1 second"), Effect.promise(aMoment))
        yield* inStore(reach, ({ plan }) => plan([early, late, arrived]))
        const { claimed } = yield* claimedBy(reach, [webhookId], 3)
        const end = (of: { readonly id: string }, status: "success" | "failed") =>
          settledBy(
            reach,
            claimed.filter(({ id }) => id === of.id).map((each) => ({ claimed: each, outcome: anOutcome({ status }) }))
          )
        yield* end(early, "failed")
        yield* aWhile
        yield* inStore(reach, ({ plan }) => plan([marker]))
        yield* end(late, "failed")
        yield* end(arrived, "success")
        const listed = yield* inStore(reach, ({ list }) => list(webhookId, { limit: 10, offset: 0 }))
        const since = listed.find(({ id }) => id === marker.id)?.createdAt ?? DateTime.unsafeMake(0)
        assert.strictEqual(yield* inStore(reach, ({ recover }) => recover(webhookId, since, 10)), 1)
        const after = yield* inStore(reach, ({ list }) => list(webhookId, { limit: 10, offset: 0 }))
        const statusOf = ({ id }: { readonly id: string }) => after.find((each) => each.id === id)?.status
        assert.deepStrictEqual([early, late, arrived].map(statusOf), ["failed", "pending", "success"])
      })
  )

  check("the former secret of a webhook is deleted when the secret has expired, and not earlier", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const made = (formerSecretEnds: DateTime.Utc) =>
        aWebhook(reach, spaceId, { formerSecret: "former", formerSecretEnds })
      const [ended, going] = [yield* made(DateTime.unsafeMake(0)), yield* made(DateTime.unsafeMake("2200-01-01"))]
      yield* Effect.flatMap(DeliveryStore, ({ forgetFormerSecrets }) => forgetFormerSecrets)
      const former = (id: string) =>
        withReach(reach)(
          Effect.map(
            Effect.flatMap(Records, ({ get }) => get(Webhook, id)),
            ({ formerSecret }) => formerSecret
          )
        )
      assert.deepStrictEqual([yield* former(ended), yield* former(going)], [null, "former"])
    })
  )
}
