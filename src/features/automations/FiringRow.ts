/**
 * The database rows of firings, and of rules that wait for events or times. Also the functions that convert these rows.
 */
import { DateTime } from "effect"
import { utcOrNull } from "../../platform/RowTimes.ts"
import type { RuleScope } from "./AutomationRule.ts"
import type { StepResult } from "./AutomationRun.ts"
import type { ClaimedFiring, DueRule, Follower, ScheduledRule } from "./Firing.ts"

export interface DueRow {
  readonly id: string
  readonly person_id: string
  readonly home_id: string
}

export interface FollowerRow extends DueRow {
  readonly event_type: string
  readonly scope_kind: RuleScope["kind"]
  readonly scope_workspace_id: string | null
  readonly created_at: Date
}

export interface ScheduledRow extends DueRow {
  readonly cron: string
  readonly changed_at: Date
}

export interface FiringRow {
  readonly id: string
  readonly space_id: string
  readonly rule_id: string
  readonly event_id: string | null
  readonly event_type: string | null
  readonly event_space_id: string | null
  readonly event_person_id: string | null
  readonly subject_id: string | null
  readonly seq: string
  readonly scheduled_at: Date | null
  readonly correlation_id: string
  readonly depth: number
  readonly attempt: number
  readonly rule_version: number | null
  readonly made: ReadonlyArray<StepResult>
}

export const dueOf = (row: DueRow): DueRule => ({ ruleId: row.id, personId: row.person_id, homeId: row.home_id })

export const followerOf = (row: FollowerRow): Follower => ({
  ...dueOf(row),
  eventType: row.event_type,
  scopeKind: row.scope_kind,
  scopeWorkspaceId: row.scope_workspace_id,
  createdAt: DateTime.unsafeFromDate(row.created_at)
})

export const scheduledRuleOf = (row: ScheduledRow): ScheduledRule => ({
  ...dueOf(row),
  cron: row.cron,
  changedAt: DateTime.unsafeFromDate(row.changed_at)
})

export const claimedFiringOf = (row: FiringRow): ClaimedFiring => ({
  id: row.id,
  homeId: row.space_id,
  ruleId: row.rule_id,
  event:
    row.event_id === null || row.event_type === null || row.event_space_id === null || row.event_person_id === null
      ? null
      : {
          id: row.event_id,
          type: row.event_type,
          spaceId: row.event_space_id,
          seq: Number(row.seq),
          personId: row.event_person_id,
          subjectId: row.subject_id
        },
  scheduledAt: utcOrNull(row.scheduled_at),
  correlationId: row.correlation_id,
  depth: row.depth,
  attempt: row.attempt,
  ruleVersion: row.rule_version,
  results: row.made
})
