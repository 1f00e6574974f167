/**
 * A run of an automation: the pod carries out the steps of the automation for one event, or for one time of a schedule.
 */
import { Schema } from "effect"
import { described, WorkspaceId, Json, Timestamp } from "../../doors/Fields.ts"
import { pageInput } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { recordType } from "../records/RecordType.ts"

const Status = Schema.Literal("queued", "running", "succeeded", "failed", "cancelled")

export const AutomationRun = recordType("automation_run", {
  identifier: "AutomationRun",
  subject: "automation",
  table: "automation_runs",
  order: "created",
  title: () => "",
  fields: {
    automationId: described("Id of the automation that ran.", Schema.NullOr(Id)),
    ruleId: described("Id of the rule that the automation carries out.", Schema.NullOr(Id)),
    eventId: described("Id of the event that started the run; null for a schedule.", Schema.NullOr(Id)),
    status: Status,
    startedAt: Schema.NullOr(Timestamp),
    finishedAt: Schema.NullOr(Timestamp),
    output: described("Result of each finished step, in order.", Schema.NullOr(Json)),
    error: described("Why the run failed, as a sentence for people.", Schema.NullOr(Schema.String))
  }
})
export type AutomationRun = typeof AutomationRun.schema.Type

/**
 * The result of a step: the record that the step wrote, or the action that the step carried out. `proposed` means that
 * the write waits for the decision of a person.
 */
export interface StepResult {
  readonly kind: string
  readonly status: "done" | "proposed"
  readonly id?: string
  readonly proposalId?: string
}

export const RunInput = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  automationId: described("Id of the automation that ran.", Schema.optional(Id)),
  ruleId: Schema.optional(Id),
  status: Schema.optional(Status),
  ...pageInput("runs", 50, 200)
})
