/** What the store of deliveries promises on each engine: only the person's own, each event once, in order, few at a time. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import type { ClaimedDelivery, PlannedDelivery } from "../../../src/features/webhooks/Delivery.ts"
import { DeliveryStore, flyingMost, type Outcome } from "../../../src/features/webhooks/DeliveryStore.ts"
import { Webhook } from "../../../src/features/webhooks/Webhook.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { Transaction } from "../../../src/platform/Transaction.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"

type Store = typeof DeliveryStore.Service

const store = <A, E>(reach: ReachShape, call: (store: Store) => Effect.Effect<A, E, any>) =>
  withReach(reach)(Effect.flatMap(DeliveryStore, call))

const claimedBy = (reach: ReachShape, webhookId: string) =>
  Effect.flatMap(Transaction, ({ alone }) =>
    alone(
      `webhook ${webhookId}`,
      store(reach, ({ claim }) => claim(webhookId, 60))
    )
  )

export const aPlannedDelivery = (
  spaceId: string,
  webhookId: string,
  more: Partial<PlannedDelivery> = {}
): PlannedDelivery => ({
  id: uuidv7(),
  spaceId,
  webhookId,
  homeId: spaceId,
  eventId: uuidv7(),
  eventType: "test.happened",
  seq: 1,
  subjectId: uuidv7(),
  isTest: false,
  ...more
})

export const anOutcome = (more: Partial<Outcome> = {}): Outcome => ({
  status: "success",
  pauseSeconds: 0,
  responseStatus: 200,
  responseBody: "",
  error: null,
  isGone: false,
  disableAfterSeconds: 1000,
  ...more
})

/** Makes a webhook without the rules of the service. */
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

const claimOrDie = (claimed: ClaimedDelivery | null) => {
  assert.isNotNull(claimed)
  return claimed
}

export const deliveryStoreContract = (stores: Layer.Layer<Stores>): void => {
  const check = (name: string, body: () => Effect.Effect<void, unknown, Stores>) =>
    it.effect(name, () => Effect.provide(body(), stores))

  check("nobody reads, claims, ends or adds deliveries of another person, or of a space that they left", () =>
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const webhookId = uuidv7()
      const own = aPlannedDelivery(spaceId, webhookId)
      yield* store(reach, ({ plan }) => plan([own]))
      for (const stranger of [aReach({ spaces: [spaceId] }), aReach({ personId })]) {
        assert.deepStrictEqual(yield* store(stranger, ({ list }) => list(webhookId, 10)), [])
        assert.isNull(yield* claimedBy(stranger, webhookId))
        yield* store(stranger, ({ drop }) => drop(own.id))
        yield* store(stranger, ({ settle }) => settle({ ...own, attempt: 0 }, anOutcome()))
      }
      yield* store(aReach({ personId }), ({ plan }) => plan([aPlannedDelivery(spaceId, webhookId)]))
      const listed = yield* store(reach, ({ list }) => list(webhookId, 10))
      assert.deepStrictEqual(
        listed.map(({ id, status }) => [id, status]),
        [[own.id, "pending"]]
      )
      const claimed = claimOrDie(yield* claimedBy(reach, webhookId))
      yield* store(reach, ({ settle }) => settle(claimed, anOutcome()))
      assert.deepStrictEqual(yield* store(aReach({ spaces: [spaceId] }), ({ states }) => states([webhookId])), [])
      assert.lengthOf(yield* store(reach, ({ states }) => states([webhookId])), 1)
    })
  )

  check("an event is planned once for a webhook, however often it is read", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const webhookId = uuidv7()
      const one = aPlannedDelivery(spaceId, webhookId)
      yield* store(reach, ({ plan }) => plan([one]))
      yield* store(reach, ({ plan }) => plan([{ ...one, id: uuidv7() }]))
      const listed = yield* store(reach, ({ list }) => list(webhookId, 10))
      assert.deepStrictEqual(
        listed.map(({ id }) => id),
        [one.id]
      )
    })
  )

  check("the calls about one subject are claimed one after the other, in the order of the log", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const [webhookId, subjectId] = [uuidv7(), uuidv7()]
      const [first, second] = [1, 2].map((seq) => aPlannedDelivery(spaceId, webhookId, { seq, subjectId }))
      yield* store(reach, ({ plan }) => plan([second, first]))
      const claimed = claimOrDie(yield* claimedBy(reach, webhookId))
      assert.deepStrictEqual([claimed.id, claimed.attempt], [first.id, 1])
      assert.isNull(yield* claimedBy(reach, webhookId))
      yield* store(reach, ({ settle }) => settle(claimed, anOutcome({ status: "pending", responseStatus: 503 })))
      const again = claimOrDie(yield* claimedBy(reach, webhookId))
      assert.deepStrictEqual([again.id, again.attempt], [first.id, 2])
      yield* store(reach, ({ settle }) => settle(again, anOutcome()))
      assert.strictEqual((yield* claimedBy(reach, webhookId))?.id, second.id)
    })
  )

  check("at most a few calls of one webhook are made at a time, also when many claim at once", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const webhookId = uuidv7()
      yield* store(reach, ({ plan }) =>
        plan(Array.from({ length: flyingMost + 3 }, (_, seq) => aPlannedDelivery(spaceId, webhookId, { seq })))
      )
      const many = Array.from({ length: flyingMost + 3 }, () => claimedBy(reach, webhookId))
      const claimed = (yield* Effect.all(many, { concurrency: "unbounded" })).flatMap((each) => each ?? [])
      assert.lengthOf(claimed, flyingMost)
      assert.strictEqual(new Set(claimed.map(({ id }) => id)).size, flyingMost)
      yield* store(reach, ({ release }) => release(claimed[0]))
      assert.strictEqual(claimOrDie(yield* claimedBy(reach, webhookId)).attempt, 1)
    })
  )

  check("the end of an attempt that is no longer the last one changes nothing", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const webhookId = uuidv7()
      yield* store(reach, ({ plan }) => plan([aPlannedDelivery(spaceId, webhookId)]))
      const claimed = claimOrDie(yield* claimedBy(reach, webhookId))
      yield* store(reach, ({ settle }) => settle({ ...claimed, attempt: 7 }, anOutcome()))
      const [{ status }] = yield* store(reach, ({ list }) => list(webhookId, 10))
      assert.strictEqual(status, "pending")
    })
  )

  check("a delivery that waits is not claimed before its time", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const webhookId = uuidv7()
      yield* store(reach, ({ plan }) => plan([aPlannedDelivery(spaceId, webhookId)]))
      const claimed = claimOrDie(yield* claimedBy(reach, webhookId))
      yield* store(reach, ({ settle }) => settle(claimed, anOutcome({ status: "pending", pauseSeconds: 600 })))
      assert.isNull(yield* claimedBy(reach, webhookId))
    })
  )

  check("the former secret of a webhook is deleted when its time has ended, and not before", () =>
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

  check("a receiver that wants no calls, or that failed for too long, is disabled until its person enables it", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const reasonAfter = (...outcomes: ReadonlyArray<Partial<Outcome>>) =>
        Effect.gen(function* () {
          const webhookId = uuidv7()
          for (const outcome of outcomes) {
            yield* store(reach, ({ plan }) => plan([aPlannedDelivery(spaceId, webhookId)]))
            const claimed = claimOrDie(yield* claimedBy(reach, webhookId))
            yield* store(reach, ({ settle }) => settle(claimed, anOutcome(outcome)))
          }
          const [state] = yield* store(reach, ({ states }) => states([webhookId]))
          assert.isNotNull(state.lastTriggeredAt)
          yield* store(reach, ({ enable }) => enable(webhookId))
          const [enabled] = yield* store(reach, ({ states }) => states([webhookId]))
          assert.isNull(enabled.disabledReason)
          return state.disabledReason
        })
      const failure = { status: "failed", responseStatus: 500 } as const
      // A limit below zero has passed at once.
      const late = { ...failure, disableAfterSeconds: -1 }
      assert.strictEqual(yield* reasonAfter({ ...failure, isGone: true, responseStatus: 410 }), "gone")
      assert.strictEqual(yield* reasonAfter(failure, late), "failing")
      assert.isNull(yield* reasonAfter(failure, failure))
      assert.isNull(yield* reasonAfter(failure, { disableAfterSeconds: -1 }))
    })
  )
}
