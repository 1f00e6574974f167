/**
 * Starts the automations of rules. It follows the event log of each space and looks for schedules that are due. For
 * each event or time that starts a rule, it adds a row (a firing). A job runs the firings of a rule one after the
 * other.
 */
import { Cause, DateTime, Effect, Schema } from "effect"
import { Id } from "../../doors/Id.ts"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import { noClient, Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { jobQueue } from "../../platform/jobs/JobQueue.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Transaction } from "../../platform/Transaction.ts"
import type { LoggedEvent } from "../events/EventCursors.ts"
import { followEvents, pollRepeatedly } from "../events/EventFollower.ts"
import { AutomationStore } from "./AutomationStore.ts"
import {
  type DueRule,
  type Follower,
  isInScope,
  isTriggeredBy,
  type PlannedFiring,
  type ScheduledRule
} from "./Firing.ts"
import { automationRuns } from "./Runs.ts"
import { latestTime } from "./ScheduleTimes.ts"

const laneMs = 30_000 // milliseconds; after this time a job ends, and a new job continues its work
const rulesAtOnce = 20 // the maximum number of rules that one node runs at the same time
const pollEvery = "1 second" // how often to look for events of other nodes; a write of this node starts a look too
const lookForTimesEvery = "5 seconds"

const queue = jobQueue({
  name: "automations.run",
  payload: Schema.Struct({ ruleId: Id, personId: Id, homeId: Id }),
  retryLimit: 2,
  retryDelaySeconds: 5,
  expireSeconds: 120,
  concurrency: rulesAtOnce,
  single: "waiting"
})

/**
 * Returns true if an event is about an automation or about a run of an automation. Such an event starts no rule,
 * because otherwise each run would start another run for ever.
 */
const isOfRuns = ({ type }: LoggedEvent): boolean => /^automation(?:_run)?\./i.test(type)

/**
 * Returns true if an event was logged after a rule was created. The database rounds the creation time of the rule to
 * milliseconds. Within one millisecond the ids decide, because ids grow with time.
 */
const isLater = ({ at, id }: LoggedEvent, { createdAt, ruleId }: Follower): boolean => {
  const byMs = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(createdAt)
  return byMs > 0 || (byMs >= -1 && id > ruleId)
}

const causingOf = (event: LoggedEvent, spaceId: string) => ({
  id: event.id,
  type: event.type,
  spaceId,
  seq: event.seq,
  personId: event.userId,
  subjectId: event.subjectId
})

/**
 * Makes the firing of a rule by an event. Returns null if the event does not start the rule. An event about the rule
 * itself never starts the rule.
 */
const firedBy = (spaceId: string, follower: Follower, event: LoggedEvent): PlannedFiring | null => {
  const causing = causingOf(event, spaceId)
  return isTriggeredBy(follower.eventType, event.type) &&
    event.subjectId !== follower.ruleId &&
    isInScope(follower, causing) &&
    isLater(event, follower)
    ? {
        id: uuidv7(),
        homeId: follower.homeId,
        ruleId: follower.ruleId,
        event: causing,
        scheduledAt: null,
        correlationId: event.correlationId,
        depth: event.runDepth === null ? 0 : event.runDepth + 1
      }
    : null
}

/**
 * Returns the latest time at which a schedule was due. Returns null if the schedule was not due after the last change
 * of the rule.
 */
export const dueTime = ({ changedAt, cron }: Pick<ScheduledRule, "changedAt" | "cron">, now: DateTime.Utc) => {
  const at = latestTime(cron, changedAt.epochMillis, now.epochMillis)
  return at === null ? null : DateTime.unsafeMake(at)
}

/**
 * Makes the function that stores planned firings of one rule and enqueues, in the same transaction, the job that runs
 * them.
 */
const planFor = Effect.gen(function* () {
  const jobs = yield* Jobs
  const store = yield* AutomationStore
  return Effect.fnUntraced(function* ({ homeId, personId, ruleId }: DueRule, planned: ReadonlyArray<PlannedFiring>) {
    const origin = { operation: "automations.plan", requestId: uuidv7(), client: noClient }
    const reach = systemReach("a rule is started", personId, [homeId], origin)
    yield* Effect.provideService(store.plan(planned), Reach, reach)
    yield* jobs.enqueue(queue, { ruleId, personId, homeId }, { singletonKey: ruleId })
  })
})

/**
 * Makes the function that starts each rule whose scheduled time has come. If the schedule of a rule was due several
 * times while no pod ran, the function starts the rule only once. If a rule causes an error, the function logs the
 * error and continues with the other rules. It does not log the same error again.
 */
export const planScheduled = Effect.gen(function* () {
  const plan = yield* planFor
  const store = yield* AutomationStore
  const { atomically } = yield* Transaction
  // The last planned time of each rule. The pod does not plan the same time again.
  const planned = new Map<string, number>()
  const faulty = new Set<string>() // the rules for which the last planning failed

  const one = Effect.fnUntraced(function* (rule: ScheduledRule, now: DateTime.Utc) {
    const scheduledAt = dueTime(rule, now)
    if (scheduledAt === null || planned.get(rule.ruleId) === scheduledAt.epochMillis) return
    const id = uuidv7()
    const firing = {
      id,
      homeId: rule.homeId,
      ruleId: rule.ruleId,
      event: null,
      scheduledAt,
      correlationId: id,
      depth: 0
    }
    yield* atomically(plan(rule, [firing]))
    planned.set(rule.ruleId, scheduledAt.epochMillis)
  })

  const planRule = (rule: ScheduledRule, now: DateTime.Utc) =>
    Effect.matchCauseEffect(one(rule, now), {
      onSuccess: () => Effect.sync(() => void faulty.delete(rule.ruleId)),
      onFailure: (cause) => {
        if (Cause.isInterrupted(cause)) return Effect.failCause(cause)
        const isFirst = !faulty.has(rule.ruleId)
        faulty.add(rule.ruleId)
        return isFirst
          ? Effect.logWarning(`The schedule of rule ${rule.ruleId} could not be planned`, cause)
          : Effect.void
      }
    })

  const lookAt = Effect.fnUntraced(function* (now: DateTime.Utc) {
    const rules = yield* store.scheduled
    yield* Effect.forEach(rules, (rule) => planRule(rule, now), { discard: true })
    const known = new Set(rules.map(({ ruleId }) => ruleId))
    for (const ruleId of planned.keys()) if (!known.has(ruleId)) planned.delete(ruleId)
    for (const ruleId of faulty) if (!known.has(ruleId)) faulty.delete(ruleId)
  })
  return { lookAt }
})

/** Runs automations until the scope closes. */
export const startAutomations = Effect.gen(function* () {
  const jobs = yield* Jobs
  const plan = yield* planFor
  const store = yield* AutomationStore
  const next = yield* automationRuns

  const take = Effect.fnUntraced(function* (spaceId: string, events: ReadonlyArray<LoggedEvent>) {
    const foreign = events.filter((event) => !isOfRuns(event))
    for (const follower of yield* store.followersOf(spaceId)) {
      const planned = foreign.flatMap((event) => firedBy(spaceId, follower, event) ?? [])
      if (planned.length > 0) yield* plan(follower, planned)
    }
  })

  const run = Effect.fnUntraced(function* (due: DueRule) {
    const until = (yield* elapsedMs) + laneMs
    while (yield* next(due)) if ((yield* elapsedMs) > until) return
  })

  yield* Effect.orDie(jobs.work(queue, run))
  yield* followEvents({
    name: "automations.plan",
    reason: "events start rules",
    take,
    // The consumer starts to read the log one millisecond before the creation of the oldest rule, because the database
    // rounds the creation time.
    since: Effect.map(store.since, (at) => at && DateTime.subtract(at, { millis: 1 })),
    pollEvery,
    pause: "50 millis"
  })
  const look = Effect.flatMap(store.due(rulesAtOnce), (due) =>
    Effect.forEach(due, (each) => jobs.enqueue(queue, each, { singletonKey: each.ruleId }), { discard: true })
  )
  yield* pollRepeatedly(queue.name, lookForTimesEvery, look)
  const { lookAt } = yield* planScheduled
  yield* pollRepeatedly("schedules", lookForTimesEvery, Effect.flatMap(DateTime.now, lookAt))
  yield* pollRepeatedly("old firings of rules", "1 hour", store.forgetOld)
})
