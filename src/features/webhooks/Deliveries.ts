/**
 * Delivers events to webhooks. Each planned delivery becomes a call. The pod repeats the call until it succeeds or no
 * retries are left.
 */
import { Effect } from "effect"
import { EventCursors } from "../events/EventCursors.ts"
import { pollRepeatedly } from "../events/EventFollower.ts"
import { DeliveryStore, type DueWebhook } from "./DeliveryStore.ts"
import { requestClaim, noWork, personCalls, type PersonWork } from "./PersonCalls.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

// the maximum number of webhooks with due deliveries that one search finds
const webhooksAtOnce = 100

// the pause between two rounds of calls, in milliseconds
const restMs = 2
// While people write, each call of a round makes the pause this many milliseconds longer, to leave time for the writes.
const restBesideWritesMs = 3

/**
 * Delivers events until the scope closes. The effect `news` completes as soon as this process has planned new
 * deliveries.
 */
export const startDelivering = Effect.fnUntraced(function* (news: Effect.Effect<void>) {
  const store = yield* DeliveryStore
  const { times } = yield* WebhookSettings
  const { next } = (yield* EventCursors).news
  const scope = yield* Effect.scope

  let known = 0
  const rest = (calls: number) =>
    Effect.flatMap(next(-1), (writes) => {
      const isQuiet = writes === known
      known = writes
      return Effect.sleep(isQuiet ? restMs : restMs + calls * restBesideWritesMs)
    })
  const working = yield* personCalls(rest)

  const works = new Map<string, PersonWork>()
  /**
   * Returns true if further deliveries of a webhook have become due since the last round of calls. If not, the work for
   * the person ends.
   */
  const continueWork = ({ claimable, personId }: PersonWork): boolean => {
    if (claimable.size > 0) return true
    works.delete(personId)
    return false
  }
  // If the pod stops, this work is interrupted and does not begin again. After the next start of a pod, the pod finds
  // the due deliveries.
  const begin = (work: PersonWork): Effect.Effect<void> =>
    Effect.gen(function* () {
      do yield* working(work)
      while (continueWork(work))
    }).pipe(Effect.onError(() => Effect.sync(() => works.delete(work.personId))))

  const deliver = ({ personId, webhookId }: DueWebhook) =>
    Effect.suspend(() => {
      const known = works.get(personId)
      const work = known ?? noWork(personId)
      requestClaim(work, webhookId)
      if (known !== undefined) return Effect.void
      works.set(personId, work)
      return Effect.forkIn(begin(work), scope)
    })

  const look = Effect.flatMap(store.due(webhooksAtOnce), (due) => Effect.forEach(due, deliver, { discard: true }))
  const isNeeded = Effect.map(store.since, (since) => since !== null)
  yield* pollRepeatedly("webhooks.deliver", times.pollEvery, Effect.whenEffect(look, isNeeded), news)
  yield* pollRepeatedly("old deliveries", "1 hour", store.forgetOld)
  yield* pollRepeatedly("former secrets", "1 minute", store.forgetFormerSecrets)
})
