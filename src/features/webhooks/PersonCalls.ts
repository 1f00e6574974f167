/**
 * Makes the calls of the webhooks of one person, in rounds. A round stores the results of all ended calls together, and
 * claims the next deliveries together. If several webhooks have the same limits, a round checks an event only once for
 * these webhooks. So each call needs few statements.
 */
import { Cause, DateTime, Duration, Effect, Option, Random } from "effect"
import { AuthorityLost } from "../../doors/Authority.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { yieldToEventLoop } from "../../platform/EventLoop.ts"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import { step } from "../../platform/StartSteps.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { makeCaller } from "./Caller.ts"
import { CallStore, type EndedCall, type Outcome, turnOf } from "./CallStore.ts"
import { type ClaimedDelivery, isSuccess, pauseAfter } from "./Delivery.ts"
import { requestOf } from "./SentRequest.ts"
import { eventText, type SentEvent } from "./Signature.ts"
import { type WebhookReaches, type PersonReach, SubscriberReach } from "./SubscriberReach.ts"
import { WebhookAttempts } from "./WebhookAttempts.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

// the maximum number of deliveries that one round claims
const claimedMax = 32
// the maximum number of calls of one person at a time, to limit the connections
const callsOfPersonMax = 256
// the number of calls that begin together; then other work in this process can run
const begunAtOnce = 4
// the maximum number of rounds at a time, so that requests have enough database connections
const roundsAtOnce = 2
// The pause after a round, if the person then has the maximum number of calls. The next round stores the results of all
// calls that end meanwhile, in place of one round for each of them.
const whileFull = "100 millis"
// the pause after database statements have failed
const afterFault = "5 seconds"

interface Call {
  readonly claimed: ClaimedDelivery
  readonly person: PersonReach
}

interface EndedCallWithReach extends EndedCall {
  readonly storeReach: ReachShape
}

/** The present work of this pod for the webhooks of one person. */
export interface PersonWork {
  readonly personId: string
  /**
   * The rights of the person in the last round. Undefined before the first round. Calls that began with the same rights
   * store their results in one statement.
   */
  person: PersonReach | undefined
  /** The ids of the webhooks whose deliveries this node can claim. */
  readonly claimable: Set<string>
  /**
   * The ids of the webhooks that have further deliveries. The pod can claim these deliveries only after a running call
   * of the webhook has ended.
   */
  readonly waiting: Set<string>
  readonly inFlight: Map<string, Call>
  readonly ended: Array<EndedCallWithReach>
  /** The number of calls that have begun so far. */
  begun: number
  /** Opens when a call has ended, or when a webhook has new deliveries. */
  readonly news: Effect.Latch
}

export const noWork = (personId: string): PersonWork => ({
  personId,
  person: undefined,
  claimable: new Set(),
  waiting: new Set(),
  inFlight: new Map(),
  ended: [],
  begun: 0,
  news: Effect.unsafeMakeLatch(false)
})

export const requestClaim = ({ claimable, news }: PersonWork, webhookId: string): void => {
  claimable.add(webhookId)
  news.unsafeOpen()
}

const byReach = <A>(all: ReadonlyArray<A>, reachOf: (one: A) => ReachShape): ReadonlyMap<ReachShape, Array<A>> => {
  const groups = new Map<ReachShape, Array<A>>()
  for (const one of all) groups.set(reachOf(one), [...(groups.get(reachOf(one)) ?? []), one])
  return groups
}

const withReach = (reach: ReachShape) => Effect.provideService(Reach, reach)

/**
 * Returns the function that makes the calls of one person until this person has no deliveries to send. `rest` is the
 * pause after a round of calls.
 */
export const personCalls = Effect.fnUntraced(function* (rest: (calls: number) => Effect.Effect<void>) {
  const store = yield* CallStore
  const { exclusively, atomically } = yield* Transaction
  const subscribers = yield* SubscriberReach
  const attempts = yield* WebhookAttempts
  const settings = yield* WebhookSettings
  const { times } = settings
  const call = makeCaller(settings)
  const leaseSeconds = Duration.toSeconds(times.timeout) + 10
  const disableAfterSeconds = Duration.toSeconds(times.disableAfter)
  const inTurn = (yield* Effect.makeSemaphore(roundsAtOnce)).withPermits(1)

  /** Sends a claimed delivery to its webhook, and returns the result of the call. */
  const send = (claimed: ClaimedDelivery, { webhook }: WebhookReaches, text: string): Effect.Effect<Outcome> =>
    Effect.gen(function* () {
      const at = yield* DateTime.now
      const { body, headers, keptRequest } = requestOf(claimed, webhook, text, at)
      const began = yield* elapsedMs
      const result = yield* call(webhook.url, headers, body)
      const isGone = result.status === 410
      const { maxRetries } = webhook.retryConfig
      const random = yield* Random.next
      const pause = isGone ? null : pauseAfter(times, claimed.attempt, maxRetries, result.retryAfterSeconds, random)
      const status = isSuccess(result) ? "success" : pause === null ? "failed" : "pending"
      attempts.ended(status)
      return {
        status,
        pauseSeconds: pause ?? 0,
        request: keptRequest,
        responseStatus: result.status,
        responseHeaders: result.headers,
        responseBody: result.body,
        error: result.error,
        startedAt: at,
        latencyMs: Math.round((yield* elapsedMs) - began),
        isGone
      }
    })

  /** Stores the results of calls, and disables the webhooks that the pod must no longer call. */
  const settle = (work: PersonWork) =>
    Effect.forEach(
      byReach(work.ended.splice(0), ({ storeReach }) => storeReach),
      ([storeReach, ended]) => {
        const stored = Effect.flatMap(store.storeResults(ended, disableAfterSeconds), ({ claimable, unwanted }) => {
          for (const id of claimable) work.claimable.add(id)
          return Effect.forEach(unwanted, store.stop, { discard: true })
        })
        // After a failed call, the pod possibly has to disable the webhook. So if a call failed, one transaction stores
        // the results and disables the webhooks.
        const haveAllSucceeded = ended.every(({ outcome }) => outcome.status === "success")
        return withReach(storeReach)(haveAllSucceeded ? stored : atomically(stored))
      },
      { discard: true }
    )

  const release = (calls: ReadonlyArray<Call>) =>
    Effect.forEach(
      byReach(calls, ({ person }) => person.storeReach),
      ([storeReach, of]) => withReach(storeReach)(store.release(of.map(({ claimed }) => claimed))),
      { discard: true }
    )

  /** Begins the call of a claimed delivery, and does not wait for its end. A later round stores the result. */
  const begin = (work: PersonWork, call: Call, judged: WebhookReaches, text: string) => {
    const { claimed, person } = call
    work.inFlight.set(claimed.id, call)
    work.begun += 1
    return Effect.fork(
      Effect.onExit(send(claimed, judged, text), (exit) =>
        Effect.sync(() => {
          work.inFlight.delete(claimed.id)
          if (exit._tag === "Success") work.ended.push({ claimed, outcome: exit.value, storeReach: person.storeReach })
          if (work.waiting.delete(claimed.webhookId)) work.claimable.add(claimed.webhookId)
          work.news.unsafeOpen()
        })
      )
    )
  }

  /**
   * Checks which of the claimed deliveries the pod is allowed to send, drops the other deliveries, and begins the
   * calls.
   */
  const make = (work: PersonWork, person: PersonReach, claimed: ReadonlyArray<ClaimedDelivery>) => {
    const remaining = new Map(claimed.map((each) => [each.id, { claimed: each, person }]))
    return Effect.gen(function* () {
      const judgements = yield* subscribers.judge(person, claimed)
      const withoutReach = judgements.filter(({ judged }) => judged === null)
      if (withoutReach.length > 0)
        yield* withReach(person.storeReach)(store.drop(withoutReach.map((each) => each.claimed.id)))
      for (const each of withoutReach) {
        remaining.delete(each.claimed.id)
        if (work.waiting.delete(each.claimed.webhookId)) work.claimable.add(each.claimed.webhookId)
      }
      const texts = new Map<SentEvent, string>()
      for (const { claimed: one, judged } of judgements) {
        const begun = remaining.get(one.id)
        if (begun === undefined || judged?.webhook.active !== true) continue
        const text = texts.get(judged.event) ?? eventText(judged.event)
        texts.set(judged.event, text)
        remaining.delete(one.id)
        yield* begin(work, begun, judged, text)
        if (remaining.size % begunAtOnce === 0) yield* yieldToEventLoop
      }
      // The deliveries that remain belong to webhooks that somebody paused after the pod had claimed the deliveries.
      // The pod claims no further deliveries of a paused webhook.
      for (const { claimed: one } of remaining.values()) {
        work.waiting.delete(one.webhookId)
        work.claimable.delete(one.webhookId)
      }
    }).pipe(Effect.ensuring(Effect.suspend(() => release([...remaining.values()]))))
  }

  const hasRoom = ({ inFlight }: PersonWork) => inFlight.size < callsOfPersonMax
  const hasMoreWork = (work: PersonWork) => work.ended.length > 0 || (work.claimable.size > 0 && hasRoom(work))

  const round = Effect.fnUntraced(function* (work: PersonWork) {
    const [found] = yield* Effect.all([subscribers.of(work.personId), settle(work)], { concurrency: 2 })
    const person = Option.map(found, (now) => {
      const former = work.person
      return former?.readReach.principal.epoch === now.readReach.principal.epoch ? former : now
    })
    work.person = Option.getOrUndefined(person)
    if (work.claimable.size === 0 || !hasRoom(work)) return
    if (Option.isNone(person)) {
      work.claimable.clear()
      return work.waiting.clear()
    }
    const limit = Math.min(claimedMax, callsOfPersonMax - work.inFlight.size)
    // Each of these webhooks probably has a delivery to claim. Further webhooks would only make the statement slower.
    const webhookIds = [...work.claimable].slice(0, limit)
    for (const id of webhookIds) work.claimable.delete(id)
    const claims = yield* exclusively(turnOf(work.personId), store.claim(webhookIds, limit, leaseSeconds)).pipe(
      withReach(person.value.storeReach)
    )
    for (const id of claims.claimable) work.claimable.add(id)
    for (const id of claims.waiting) work.waiting.add(id)
    if (claims.claimed.length > 0) yield* make(work, person.value, claims.claimed)
  })

  const isAccessChanged = (cause: Cause.Cause<never>) =>
    [...Cause.defects(cause)].some((defect) => defect instanceof AuthorityLost)

  return (work: PersonWork): Effect.Effect<void> =>
    Effect.gen(function* () {
      for (;;) {
        work.news.unsafeClose()
        const before = work.begun
        yield* inTurn(round(work)).pipe(
          Effect.catchAllCause((cause) =>
            Cause.isInterrupted(cause)
              ? Effect.failCause(cause)
              : isAccessChanged(cause)
                ? Effect.void
                : Effect.zipRight(
                    Effect.logWarning("Deliveries to webhooks could not be made", cause),
                    Effect.sleep(afterFault)
                  )
          )
        )
        const isFull = !hasRoom(work)
        if (!hasMoreWork(work)) {
          if (work.inFlight.size === 0) return
          yield* work.news.await
        }
        yield* isFull ? Effect.sleep(whileFull) : rest(work.begun - before)
      }
    }).pipe(
      Effect.onInterrupt(() => {
        const running = [...work.inFlight.values()]
        return Effect.all([noteInterrupted(running.length), settle(work), release(running)], { discard: true })
      })
    )
})

/** Reports how many calls had no answer yet when the pod stopped. The next pod that starts makes these calls again. */
const noteInterrupted = (calls: number): Effect.Effect<void> =>
  calls === 0
    ? Effect.void
    : step(
        "stop",
        `${calls === 1 ? "1 webhook delivery has" : `${calls} webhook deliveries have`} no answer yet. The next start of a pod sends ${calls === 1 ? "it" : "them"} again.`,
        { deliveries: calls }
      )
