/**
 * Two sources of reactions for the pulse, which lists events with their reactions. One source has the runs of
 * automations, and the other has notifications. The event log links each reaction to the event that caused it.
 */
import { Effect } from "effect"
import { AutomationRuleRecord } from "../automations/AutomationRule.ts"
import { AutomationRun } from "../automations/AutomationRun.ts"
import type { Event } from "../events/Event.ts"
import type { Reaction, ReactionSource } from "../events/Reaction.ts"
import { isCaused, ReactiveEvents } from "../events/ReactiveEvents.ts"
import { Records } from "../records/Records.ts"
import { wordsOf } from "./EventWords.ts"

// the maximum number of runs or notifications in one answer
const reactionsMax = 1000

const statusOf: Readonly<Record<AutomationRun["status"], NonNullable<Reaction["status"]>>> = {
  queued: "pending",
  running: "pending",
  succeeded: "success",
  failed: "failed",
  cancelled: "failed"
}

/** Makes the source that returns runs of automations that the caller may read. */
export const automationReactions = Effect.gen(function* () {
  const reactive = yield* ReactiveEvents
  const records = yield* Records
  const source: ReactionSource = {
    kind: "automation",
    recent: (query) => reactive.causesOf("automation", query),
    of: Effect.fnUntraced(function* (eventIds) {
      const { items: runs } = yield* records.list(AutomationRun, {
        where: { eventId: eventIds },
        limit: reactionsMax
      })
      const ruleIds = [...new Set(runs.flatMap(({ ruleId }) => ruleId ?? []))]
      const rules = yield* records.among(AutomationRuleRecord, ruleIds, ["name"])
      const names = new Map(rules.map(({ id, name }) => [id, name]))
      return runs.toReversed().flatMap(({ error, eventId, ruleId, status }) =>
        eventId === null
          ? []
          : [
              {
                eventId,
                reaction: {
                  kind: "automation" as const,
                  label: names.get(ruleId ?? "") ?? "A rule that was deleted",
                  status: statusOf[status],
                  ...(error === null ? {} : { detail: error })
                }
              }
            ]
      )
    })
  }
  return source
})

/**
 * Makes the source that returns sent notifications. The pulse shows only the kind of a notification, and not what the
 * notification is about.
 */
export const notifyReactions = Effect.map(ReactiveEvents, (reactive): ReactionSource => ({
  kind: "notify",
  recent: (query) => reactive.causesOf("notification", query),
  of: (eventIds) =>
    Effect.map(reactive.causedBy(eventIds, reactionsMax), (events) =>
      events.flatMap((event) =>
        event.causationId === undefined || !isCaused(event, "notification")
          ? []
          : [
              {
                eventId: event.causationId,
                reaction: {
                  kind: "notify" as const,
                  label: wordsOf(kindIn(event)),
                  status: "success" as const
                }
              }
            ]
      )
    )
}))

const kindIn = ({ data: { kind }, type }: Event): string => (typeof kind === "string" ? kind : type)
