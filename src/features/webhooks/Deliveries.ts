/**
 * Delivers events to webhooks: a planned delivery becomes a call, which is made again until it succeeds or its retries are used
 * up.
 */
import { Effect } from "effect"
import { EventCursors } from "../events/EventCursors.ts"
import { lookRepeatedly } from "../events/EventFollower.ts"
import { DeliveryStore, type DueWebhook } from "./DeliveryStore.ts"
import { ask, noWork, personCalls, type PersonWork } from "./PersonCalls.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

const webhooksAtOnce = 100 // webhooks that are looked for at a time

const restMs = 2 // the pause between two rounds of calls
const restBesideWritesMs = 3 // for each call of the round, while somebody writes: writes get most of the processor

/** Delivers until the scope closes. `news` ends when deliveries were planned in this process. */
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
  const begin = (work: PersonWork): Effect.Effect<void> =>
    working(work).pipe(
      Effect.ensuring(
        Effect.suspend(() => {
          // Somebody may have asked after the last look.
          if (work.asked.size > 0) return begin(work)
          works.delete(work.personId)
          return Effect.void
        })
      )
    )

  const deliver = ({ personId, webhookId }: DueWebhook) =>
    Effect.suspend(() => {
      const known = works.get(personId)
      const work = known ?? noWork(personId)
      ask(work, webhookId)
      if (known !== undefined) return Effect.void
      works.set(personId, work)
      return Effect.forkIn(begin(work), scope)
    })

  const look = Effect.flatMap(store.due(webhooksAtOnce), (due) => Effect.forEach(due, deliver, { discard: true }))
  const isNeeded = Effect.map(store.since, (since) => since !== null)
  yield* lookRepeatedly("webhooks.deliver", times.lookEvery, Effect.whenEffect(look, isNeeded), news)
  yield* lookRepeatedly("old deliveries", "1 hour", store.forgetOld)
  yield* lookRepeatedly("former secrets", "1 minute", store.forgetFormerSecrets)
})
