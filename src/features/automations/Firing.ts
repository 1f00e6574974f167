/** A firing: one event, or one time of a schedule, that starts the automation of one rule. Pure. */
import type { DateTime } from "effect"
import type { StepResult } from "./AutomationRun.ts"
import type { RuleScope } from "./AutomationRule.ts"

export const depthMax = 5 // runs that lead to each other; two rules that start each other end after so many
export const runsPerMinute = 60 // of one rule
export const attemptsMax = 5 // of a run whose pod was killed, or whose database failed

/** A rule that waits for events of a space. */
export interface Follower {
  readonly ruleId: string
  readonly personId: string
  /** The space of the rule. */
  readonly homeId: string
  readonly eventType: string
  readonly scopeKind: RuleScope["kind"]
  readonly scopeWorkspaceId: string | null
  readonly createdAt: DateTime.Utc
}

/** A rule with a schedule. */
export interface ScheduledRule {
  readonly ruleId: string
  readonly personId: string
  readonly homeId: string
  readonly cron: string
  /** Times before the last change of the rule do not concern it. */
  readonly changedAt: DateTime.Utc
}

/** A rule with a firing that nobody works on. */
export type DueRule = Pick<Follower, "ruleId" | "personId" | "homeId">

/** The event that starts a run. Its content is never used. */
export interface CausingEvent {
  readonly id: string
  readonly type: string
  readonly spaceId: string
  readonly seq: number
  /** The person whose event it is. */
  readonly personId: string
  readonly subjectId: string | null
}

export interface PlannedFiring {
  /** Also the id of the run. */
  readonly id: string
  readonly homeId: string
  readonly ruleId: string
  /** Null for a schedule. */
  readonly event: CausingEvent | null
  /** Null for an event. */
  readonly scheduledAt: DateTime.Utc | null
  readonly correlationId: string
  readonly depth: number
}

/** A firing that a pod works on. */
export interface ClaimedFiring extends PlannedFiring {
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /** The version of the rule with which the run began; null if it has not begun. */
  readonly ruleVersion: number | null
  /** What the finished steps made. */
  readonly made: ReadonlyArray<StepResult>
}

/** What a rule has done in the last minute. */
export interface RecentRuns {
  readonly runs: number
  /** Whether a run was refused because there were too many. */
  readonly hasRefusal: boolean
}

/** How a run ends. */
export interface RunEnd {
  readonly status: "succeeded" | "failed" | "cancelled"
  readonly error: string | null
}

/** What makes a firing of a rule unique. */
export const causeOf = ({ event, scheduledAt }: Pick<PlannedFiring, "event" | "scheduledAt">): string =>
  event?.id ?? (scheduledAt === null ? "" : String(scheduledAt.epochMillis))

/** Whether a type of a trigger has the type of an event. `*` stands for one segment. */
export const isTriggeredBy = (wanted: string, type: string): boolean => {
  const [segments, given] = [wanted.split("."), type.split(".")]
  return segments.length === given.length && segments.every((segment, at) => segment === "*" || segment === given[at])
}

/** Whether the scope of a rule has an event: by its space, and for rules of scope `user` by its person. */
export const isInScope = (
  { personId, scopeKind, scopeWorkspaceId }: Pick<Follower, "personId" | "scopeKind" | "scopeWorkspaceId">,
  event: Pick<CausingEvent, "personId" | "spaceId">
): boolean => {
  if (scopeWorkspaceId !== null && event.spaceId !== scopeWorkspaceId) return false
  if (scopeKind !== "user") return true
  return event.personId === personId && (scopeWorkspaceId !== null || event.spaceId === personId)
}
