/**
 * A firing: one event, or one time of a schedule, that starts the automation of one rule. The functions of this file
 * are pure.
 */
import type { DateTime } from "effect"
import type { StepResult } from "./AutomationRun.ts"
import type { RuleScope } from "./AutomationRule.ts"

// the maximum number of runs in a chain; without this limit, two rules could start each other for ever
export const depthMax = 5
export const runsPerMinute = 60 // the maximum number of runs of one rule in a minute
// The maximum number of attempts for one run. An attempt fails if the pod is killed or the database fails.
export const attemptsMax = 5

/** A rule that waits for events of a space. */
export interface Follower {
  readonly ruleId: string
  readonly personId: string
  /** The id of the space in which the rule is stored. */
  readonly homeId: string
  readonly eventType: string
  readonly scopeKind: RuleScope["kind"]
  readonly scopeWorkspaceId: string | null
  readonly createdAt: DateTime.Utc
}

export interface ScheduledRule {
  readonly ruleId: string
  readonly personId: string
  readonly homeId: string
  readonly cron: string
  /** When the rule was last changed. Times of the schedule before this change do not start the rule. */
  readonly changedAt: DateTime.Utc
}

/** A rule that has firings to run. No worker has claimed one of these firings. */
export type DueRule = Pick<Follower, "ruleId" | "personId" | "homeId">

/**
 * The event that starts a run. The run never uses the content of the event. Instead it reads the record that the event
 * names.
 */
export interface CausingEvent {
  readonly id: string
  readonly type: string
  readonly spaceId: string
  readonly seq: number
  /** The person who caused the event. */
  readonly personId: string
  readonly subjectId: string | null
}

export interface PlannedFiring {
  /** The id of this firing. The run that it causes has the same id. */
  readonly id: string
  readonly homeId: string
  readonly ruleId: string
  /** The event that starts the rule. Null if a schedule starts the rule. */
  readonly event: CausingEvent | null
  /** The time of the schedule that starts the rule. Null if an event starts the rule. */
  readonly scheduledAt: DateTime.Utc | null
  readonly correlationId: string
  readonly depth: number
}

export interface ClaimedFiring extends PlannedFiring {
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /** The version of the rule with which the run began. Null if the run has not begun. */
  readonly ruleVersion: number | null
  /** The results of the finished steps. */
  readonly results: ReadonlyArray<StepResult>
}

/** How often a rule ran in the last minute, and whether the pod refused a run in this minute. */
export interface RecentRuns {
  readonly runs: number
  /** Whether the pod refused a run in the last minute because the rule had too many runs. */
  readonly hasRefusal: boolean
}

export interface RunEnd {
  readonly status: "succeeded" | "failed" | "cancelled"
  readonly error: string | null
}

/** Returns the text that identifies a firing: the id of the event, or the scheduled time in milliseconds. */
export const causeOf = ({ event, scheduledAt }: Pick<PlannedFiring, "event" | "scheduledAt">): string =>
  event?.id ?? (scheduledAt === null ? "" : String(scheduledAt.epochMillis))

/**
 * Returns true if the event type of a trigger matches the type of an event. `*` in the trigger stands for one segment.
 */
export const isTriggeredBy = (triggerType: string, type: string): boolean => {
  const [segments, given] = [triggerType.split("."), type.split(".")]
  return segments.length === given.length && segments.every((segment, at) => segment === "*" || segment === given[at])
}

/**
 * Returns true if an event is in the scope of a rule. If the scope names a workspace, the event must be in this
 * workspace. If the scope is `user`, the person who owns the rule must have caused the event. A scope `user` without a
 * workspace also requires that the event is in the person's own space.
 */
export const isInScope = (
  { personId, scopeKind, scopeWorkspaceId }: Pick<Follower, "personId" | "scopeKind" | "scopeWorkspaceId">,
  event: Pick<CausingEvent, "personId" | "spaceId">
): boolean => {
  if (scopeWorkspaceId !== null && event.spaceId !== scopeWorkspaceId) return false
  if (scopeKind !== "user") return true
  return event.personId === personId && (scopeWorkspaceId !== null || event.spaceId === personId)
}
