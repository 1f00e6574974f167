/**
 * A run of an automation: one time that its steps were taken. Nothing in the pod carries automations out yet, so no run
 * comes about here; whoever comes to do it keeps its runs as these records, and their readers find them.
 */
import { Schema } from "effect"
import { described, WorkspaceId, Json, pageInput, Timestamp } from "../../doors/Fields.ts"
import { recordType } from "../records/RecordType.ts"

const Status = Schema.Literal("queued", "running", "succeeded", "failed", "cancelled")

export const AutomationRun = recordType("automation_run", {
  identifier: "AutomationRun",
  subject: "automation",
  table: "automation_runs",
  order: "created",
  title: () => "",
  fields: {
    automationId: described("The automation that ran.", Schema.NullOr(Schema.UUID)),
    ruleId: described("The rule whose automation it is.", Schema.NullOr(Schema.UUID)),
    status: Status,
    startedAt: Schema.NullOr(Timestamp),
    finishedAt: Schema.NullOr(Timestamp),
    output: Schema.NullOr(Json),
    error: described("Why it failed, for people.", Schema.NullOr(Schema.String))
  }
})
export type AutomationRun = typeof AutomationRun.schema.Type

export const RunInput = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  automationId: described("The automation that ran.", Schema.optional(Schema.UUID)),
  ruleId: described("The rule it is about.", Schema.optional(Schema.UUID)),
  status: Schema.optional(Status),
  ...pageInput(50, 200)
})
