/**
 * The hourly work on notifications. It notifies people of keys that expire soon, marks notifications of expired
 * proposals as read, and deletes old notifications.
 */
import { Context, Cron, DateTime, Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import { uuidv7 } from "../../platform/Ids.ts"
import { jobQueue } from "../../platform/jobs/JobQueue.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Keys } from "../keys/Keys.ts"
import { NotificationStore } from "./NotificationStore.ts"
import { Notifier } from "./Notifier.ts"

// Each hour, only one of all nodes that share the database does the work.
const times = Cron.unsafeParse("43 * * * *", "UTC")
// the numbers of days before a key expires at which the person gets a notification
const daysBefore = [1, 7]

const queue = jobQueue({
  name: "notifications.upkeep",
  payload: Schema.Struct({}),
  retryLimit: 2,
  retryDelaySeconds: 60,
  expireSeconds: 600,
  concurrency: 1,
  single: "running"
})

/**
 * Makes an event id for a notification about a key that expires soon. The id is a UUID of version 8 (RFC 9562), and the
 * event log has no event with this id. Each hourly run makes the same id, so that the pod notifies the person only
 * once.
 */
const endingId = (keyId: string, days: number): string => {
  const digest = createHash("sha256").update(`${keyId} ends in ${days} days`).digest("hex")
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5")
}

export class NotificationUpkeep extends Context.Tag("pod/NotificationUpkeep")<
  NotificationUpkeep,
  { readonly run: Effect.Effect<void> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { forgetOld, settleExpired } = yield* NotificationStore
      const { listEndingBefore } = yield* Keys
      const { notify } = yield* Notifier

      const keys = Effect.gen(function* () {
        const now = yield* DateTime.now
        const before = DateTime.add(now, { days: Math.max(...daysBefore) })
        for (const { expiresAt, id, personId } of yield* listEndingBefore(before)) {
          const isWithin = (days: number) => DateTime.lessThanOrEqualTo(expiresAt, DateTime.add(now, { days }))
          const days = daysBefore.find(isWithin) ?? Math.max(...daysBefore)
          const about = { kind: "key_ending", subjectId: id, subjectType: "apiKey", data: {} } as const
          yield* notify(personId, { ...about, spaceId: personId, eventId: endingId(id, days), correlationId: uuidv7() })
        }
      })

      return { run: Effect.all([keys, settleExpired, forgetOld], { discard: true }) }
    })
  )
}

/** Runs the hourly work on notifications until the scope closes. */
export const startUpkeep = Effect.gen(function* () {
  const { schedule, work } = yield* Jobs
  const { run } = yield* NotificationUpkeep
  yield* Effect.orDie(work(queue, () => run))
  yield* schedule(queue, times, {})
})
