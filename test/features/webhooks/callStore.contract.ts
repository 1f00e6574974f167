/**
 * What the store of webhook calls guarantees on each engine. A person can read and change only their own calls. The
 * calls run in order, and only a few run at the same time. One statement stores many calls.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { callsOfWebhookMax, type Outcome } from "../../../src/features/webhooks/CallStore.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { anOutcome, aPlannedDelivery, claimedBy, inCalls, inStore, settledBy } from "./deliveryCalls.ts"
import { itemsOf } from "../../support/pages.ts"

export const callStoreContract = (stores: Layer.Layer<Stores>): void => {
  const check = (name: string, body: () => Effect.Effect<void, unknown, Stores>) =>
    it.effect(name, () => Effect.provide(body(), stores))

  /** Claims the deliveries of the webhook, and asserts that there is exactly one. */
  const claimOne = (reach: ReachShape, webhookId: string) =>
    Effect.map(claimedBy(reach, [webhookId]), ({ claimed }) => {
      assert.lengthOf(claimed, 1)
      return claimed[0]
    })
  const claimNone = (reach: ReachShape, webhookId: string) =>
    Effect.map(claimedBy(reach, [webhookId]), ({ claimed }) => assert.deepStrictEqual(claimed, []))

  check(
    "a caller cannot read, claim, end or plan a webhook delivery of another person, or in a space that the caller cannot access",
    () =>
      Effect.gen(function* () {
        const { personId, reach, spaceId } = yield* aMember()
        const webhookId = uuidv7()
        const own = aPlannedDelivery(spaceId, webhookId)
        yield* inStore(reach, ({ plan }) => plan([own]))
        for (const stranger of [aReach({ spaces: [spaceId] }), aReach({ personId })]) {
          assert.deepStrictEqual(yield* inStore(stranger, ({ list }) => list(webhookId, { limit: 10, offset: 0 })), [])
          assert.deepStrictEqual(yield* claimedBy(stranger, [webhookId]), { claimed: [], claimable: [], waiting: [] })
          yield* inCalls(stranger, ({ drop }) => drop([own.id]))
          yield* inCalls(stranger, ({ release }) => release([{ ...own, attempt: 0 }]))
          yield* settledBy(stranger, [{ claimed: { ...own, attempt: 0 }, outcome: anOutcome({ isGone: true }) }])
        }
        yield* inStore(aReach({ personId }), ({ plan }) => plan([aPlannedDelivery(spaceId, webhookId)]))
        const listed = yield* inStore(reach, ({ list }) => list(webhookId, { limit: 10, offset: 0 }))
        assert.deepStrictEqual(
          listed.map(({ attempt, id, status }) => [id, status, attempt]),
          [[own.id, "pending", 0]]
        )
        const claimed = yield* claimOne(reach, webhookId)
        yield* settledBy(reach, [{ claimed, outcome: anOutcome() }])
        const elsewhere = aReach({ spaces: [spaceId] })
        assert.deepStrictEqual(yield* inStore(elsewhere, ({ states }) => states([webhookId])), [])
        yield* inCalls(elsewhere, ({ stop }) => stop({ webhookId, reason: "gone" }))
        const [state, ...others] = yield* inStore(reach, ({ states }) => states([webhookId]))
        assert.deepStrictEqual([state.disabledReason, others], [null, []])
      })
  )

  check("the webhook calls about one subject are claimed one after the other, in the order of the event log", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const [webhookId, subjectId] = [uuidv7(), uuidv7()]
      const [first, second] = [1, 2].map((seq) => aPlannedDelivery(spaceId, webhookId, { seq, subjectId }))
      yield* inStore(reach, ({ plan }) => plan([second, first]))
      const claimed = yield* claimOne(reach, webhookId)
      assert.deepStrictEqual([claimed.id, claimed.attempt], [first.id, 1])
      yield* claimNone(reach, webhookId)
      const outcome = anOutcome({ status: "pending", responseStatus: 503 })
      yield* settledBy(reach, [{ claimed, outcome }])
      const again = yield* claimOne(reach, webhookId)
      assert.deepStrictEqual([again.id, again.attempt], [first.id, 2])
      yield* settledBy(reach, [{ claimed: again, outcome: anOutcome() }])
      assert.strictEqual((yield* claimOne(reach, webhookId)).id, second.id)
    })
  )

  check(
    "deliveries that wait for an earlier delivery of their subject are put off, and become due one by one when the earlier ones end",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const [webhookId, subjectId] = [uuidv7(), uuidv7()]
        const behind = upTo(40).map((seq) => aPlannedDelivery(spaceId, webhookId, { seq, subjectId }))
        const other = aPlannedDelivery(spaceId, webhookId, { seq: 99 })
        yield* inStore(reach, ({ plan }) => plan(behind))
        yield* inStore(reach, ({ plan }) => plan([other]))
        const dueAts = Effect.map(
          inStore(reach, ({ list }) => list(webhookId, { limit: 100, offset: 0 })),
          (listed) => new Map(listed.map(({ id, nextAttemptAt }) => [id, nextAttemptAt?.epochMillis ?? 0]))
        )
        // A store looks at a limited number of deliveries for each claim.
        const first = yield* claimedBy(reach, [webhookId])
        const second = yield* claimedBy(reach, first.claimable)
        const claimed = [...first.claimed, ...second.claimed]
        assert.deepStrictEqual(
          claimed.map(({ id }) => id),
          [behind[0].id, other.id]
        )
        assert.deepStrictEqual([second.claimable, second.waiting], [[], []])
        // The first delivery fails, and its next call comes after ten minutes.
        const failed = anOutcome({ status: "pending", responseStatus: 503, pauseSeconds: 600 })
        const settled = yield* settledBy(reach, [{ claimed: claimed[0], outcome: failed }])
        assert.deepStrictEqual(settled.claimable, [])
        const before = yield* dueAts
        assert.isAbove(before.get(behind[1].id) ?? 0, before.get(other.id) ?? 0)
        yield* claimNone(reach, webhookId)
        // The person sends it again, and it arrives.
        yield* inStore(reach, ({ makeDue }) => makeDue(webhookId, behind[0].id))
        const again = yield* claimOne(reach, webhookId)
        const arrived = yield* settledBy(reach, [{ claimed: again, outcome: anOutcome() }])
        assert.deepStrictEqual(arrived.claimable, [webhookId])
        const next = yield* claimOne(reach, webhookId)
        assert.strictEqual(next.id, behind[1].id)
        // The pod is no longer allowed to send the next delivery.
        yield* inCalls(reach, ({ drop }) => drop([next.id]))
        assert.strictEqual((yield* claimOne(reach, webhookId)).id, behind[2].id)
      })
  )

  check(
    "only a limited number of calls of one webhook are claimed at a time, even if many workers claim calls at the same moment",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const webhookId = uuidv7()
        yield* inStore(reach, ({ plan }) =>
          plan(Array.from({ length: callsOfWebhookMax + 3 }, (_, seq) => aPlannedDelivery(spaceId, webhookId, { seq })))
        )
        const many = Array.from({ length: callsOfWebhookMax + 3 }, () => claimedBy(reach, [webhookId], 2))
        const claims = yield* Effect.all(many, { concurrency: "unbounded" })
        const claimed = claims.flatMap((each) => each.claimed)
        assert.lengthOf(claimed, callsOfWebhookMax)
        assert.strictEqual(new Set(claimed.map(({ id }) => id)).size, callsOfWebhookMax)
        // The webhook has room for further calls after the first claim, and none after the others. On PostgreSQL, any of
        // them can be the first.
        const lists = claims.map(({ claimable, waiting }) => ({ claimable, waiting }))
        assert.deepInclude(lists, { claimable: [webhookId], waiting: [] })
        const withoutRoom = lists.filter(({ claimable }) => claimable.length === 0)
        assert.deepStrictEqual(
          withoutRoom,
          many.slice(1).map(() => ({ claimable: [], waiting: [webhookId] }))
        )
        yield* inCalls(reach, ({ release }) => release([claimed[0]]))
        assert.strictEqual((yield* claimOne(reach, webhookId)).attempt, 1)
      })
  )

  check(
    "a worker that claims webhook calls gets the first call of each given webhook before the second call of any webhook, up to the requested number",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const [busy, other, unasked] = [uuidv7(), uuidv7(), uuidv7()]
        const planned = [busy, busy, busy, busy, busy, busy, other, unasked].map((webhookId, seq) =>
          aPlannedDelivery(spaceId, webhookId, { seq })
        )
        yield* inStore(reach, ({ plan }) => plan(planned))
        const first = yield* claimedBy(reach, [busy, other, busy], 3)
        const numbers = (webhookId: string) => first.claimed.filter((each) => each.webhookId === webhookId).length
        assert.deepStrictEqual([numbers(busy), numbers(other)], [2, 1])
        assert.deepStrictEqual([first.claimable, first.waiting], [[busy], []])
        const second = yield* claimedBy(reach, [busy, other])
        assert.deepStrictEqual(
          second.claimed.map(({ webhookId }) => webhookId),
          [busy, busy]
        )
        yield* settledBy(
          reach,
          first.claimed.map((claimed) => ({ claimed, outcome: anOutcome() }))
        )
        const third = yield* claimedBy(reach, [busy, other])
        assert.lengthOf(third.claimed, 2)
        assert.deepStrictEqual([third.claimable, third.waiting], [[], []])
        const [{ status }] = yield* inStore(reach, ({ list }) => list(unasked, { limit: 10, offset: 0 }))
        assert.strictEqual(status, "pending")
      })
  )

  check(
    "if a batch of results contains a result for an outdated attempt of a webhook delivery, the pod ignores this result and stores the other results",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const [webhookId, otherId] = [uuidv7(), uuidv7()]
        yield* inStore(reach, ({ plan }) => plan([webhookId, otherId].map((id) => aPlannedDelivery(spaceId, id))))
        const { claimed } = yield* claimedBy(reach, [webhookId, otherId])
        const stale = claimed.map((each) => (each.webhookId === webhookId ? { ...each, attempt: 7 } : each))
        // Receivers write these texts, so they can contain any characters.
        const outcome = anOutcome({ responseBody: `"\\'{}$1 \u2028 ${"é".repeat(3)}`, isGone: true })
        const { unwanted } = yield* settledBy(
          reach,
          stale.map((each) => ({ claimed: each, outcome }))
        )
        assert.deepStrictEqual(unwanted, [{ webhookId: otherId, reason: "gone" }])
        const listed = yield* Effect.forEach([webhookId, otherId], (id) =>
          inStore(reach, ({ list }) => list(id, { limit: 10, offset: 0 }))
        )
        assert.deepStrictEqual(
          listed.map(([{ responseBody, status }]) => [status, responseBody]),
          [
            ["pending", null],
            ["success", outcome.responseBody]
          ]
        )
        const states = yield* inStore(reach, ({ states }) => states([webhookId, otherId]))
        assert.deepStrictEqual(
          states.map((state) => [state.webhookId, state.disabledReason]),
          [[otherId, "gone"]]
        )
      })
  )

  check(
    "the delivery store returns each request of a delivery as it was sent, even if the text of the event differs between the calls, and also for a test delivery",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const webhookId = uuidv7()
        const [one, test] = [false, true].map((isTest) => aPlannedDelivery(spaceId, webhookId, { isTest }))
        yield* inStore(reach, ({ plan }) => plan([one, test]))
        const requests = ['{"id":1', '{"id":1', '{"id":"\u2028é"', '{"id":1'].map((bodyStart, at) => ({
          headers: { "webhook-timestamp": String(at) },
          bodyStart,
          bodyEnd: `,"attempt":${at}}`,
          isCut: at === 2
        }))
        for (const request of requests) {
          const { claimed } = yield* claimedBy(reach, [webhookId], 2)
          const ended = claimed.map((each) => ({ claimed: each, outcome: anOutcome({ status: "pending", request }) }))
          yield* settledBy(reach, ended)
        }
        for (const { eventId, id, isTest } of [one, test]) {
          const calls = yield* inStore(reach, ({ attempts }) => attempts(webhookId, id))
          assert.deepInclude(calls, { eventId, isTest })
          assert.deepStrictEqual(
            calls?.attempts.map((call) => [call.requestHeaders, call.requestBody, call.requestBodyTruncated]),
            requests.map(({ bodyEnd, bodyStart, headers, isCut }) => [headers, bodyStart + bodyEnd, isCut])
          )
        }
      })
  )

  check("a webhook delivery that waits for a retry is not claimed before the time of the retry", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const webhookId = uuidv7()
      yield* inStore(reach, ({ plan }) => plan([aPlannedDelivery(spaceId, webhookId)]))
      const claimed = yield* claimOne(reach, webhookId)
      yield* settledBy(reach, [{ claimed, outcome: anOutcome({ status: "pending", pauseSeconds: 600 }) }])
      assert.deepStrictEqual(yield* claimedBy(reach, [webhookId]), { claimed: [], claimable: [], waiting: [] })
    })
  )

  check(
    "a webhook stays disabled until its owner enables it, if its receiver has refused further calls or has failed for too long",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const reasonAfter = (...rounds: ReadonlyArray<readonly [ReadonlyArray<Partial<Outcome>>, number?]>) =>
          Effect.gen(function* () {
            const webhookId = uuidv7()
            for (const [outcomes, disableAfterSeconds] of rounds) {
              yield* inStore(reach, ({ plan }) => plan(outcomes.map(() => aPlannedDelivery(spaceId, webhookId))))
              const { claimed } = yield* claimedBy(reach, [webhookId])
              const ended = outcomes.map((outcome, at) => ({ claimed: claimed[at], outcome: anOutcome(outcome) }))
              yield* settledBy(reach, ended, disableAfterSeconds)
            }
            const [state] = yield* inStore(reach, ({ states }) => states([webhookId]))
            assert.isNotNull(state.lastTriggeredAt)
            if (state.disabledReason !== null) {
              yield* inStore(reach, ({ plan }) => plan([aPlannedDelivery(spaceId, webhookId)]))
              yield* claimNone(reach, webhookId)
            }
            const log = yield* itemsOf(withReach(reach)(Effect.flatMap(EventLog, ({ list }) => list({ limit: 100 }))))
            const disableEvents = log.filter(
              ({ subjectId, type }) => type === "webhook.disabled" && subjectId === webhookId
            )
            assert.lengthOf(disableEvents, state.disabledReason === null ? 0 : 1)
            yield* inStore(reach, ({ enable }) => enable(webhookId))
            const [enabled] = yield* inStore(reach, ({ states }) => states([webhookId]))
            assert.isNull(enabled.disabledReason)
            return state.disabledReason
          })
        const failure = { status: "failed", responseStatus: 500 } as const
        const gone = { ...failure, isGone: true, responseStatus: 410 }
        const late = -1 // The limit is in seconds. A limit below zero is exceeded at once.
        assert.strictEqual(yield* reasonAfter([[gone]]), "gone")
        assert.strictEqual(yield* reasonAfter([[{}, gone, {}]]), "gone")
        assert.strictEqual(yield* reasonAfter([[failure]], [[failure, failure, failure], late]), "failing")
        assert.strictEqual(yield* reasonAfter([[{}, failure], late]), "failing")
        assert.isNull(yield* reasonAfter([[failure]], [[failure]]))
        assert.isNull(yield* reasonAfter([[failure]], [[{}], late]))
        assert.isNull(yield* reasonAfter([[failure, {}], late]))
      })
  )
}
