/**
 * The MCP tool that finds stuck or failing work: proposals that have waited for a long time, failing webhooks, and
 * failed runs of rules.
 */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { fullGrant } from "../../doors/Door.ts"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

const Type = Schema.Literal("proposal", "webhook", "automation")
export type DiagnosedType = typeof Type.Type

export const DiagnoseInput = Schema.Struct({
  type: Schema.optional(Type),
  id: Schema.optional(Id),
  runId: Schema.optional(Id),
  agentId: Schema.optional(Id),
  workspaceId: Schema.optional(Id),
  stuckThresholdHours: Schema.optionalWith(Schema.Number.pipe(Schema.between(0, 8760)), { default: () => 24 }),
  flowType: Schema.optional(Type),
  flowId: Schema.optional(Id),
  limit: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 100)), { default: () => 20 })
})
export type DiagnoseInput = typeof DiagnoseInput.Type

export const Diagnosis = Schema.Struct({
  findings: described(
    "The records that are stuck or failing, latest first within each type.",
    Schema.Array(
      Schema.Struct({
        type: Type,
        id: described("Id of the proposal, webhook or rule.", Id),
        runId: described("Id of the failed run.", Schema.NullOr(Id)),
        title: Schema.String,
        problem: described("What is wrong, as a sentence for people.", Schema.String),
        since: described("Time when the problem began.", Schema.NullOr(Timestamp))
      })
    )
  ),
  counts: described("Number of findings by type.", Schema.Record({ key: Schema.String, value: Schema.Number })),
  leftOut: described("Number of findings that the limit left out.", Schema.Number)
})
export type Diagnosis = typeof Diagnosis.Type
export type Finding = Diagnosis["findings"][number]

export const DiagnoseTools = [
  tool("svc_diagnose", {
    title: "Diagnose",
    input: describeArguments(DiagnoseInput, {
      type: "Only proposals, only webhooks or only automations. Default: all.",
      id: "The id of one proposal, webhook or rule.",
      runId: "The id of one run of a rule.",
      agentId: "The id of an agent: only its proposals are examined.",
      workspaceId: "The id of a workspace: only its records are examined.",
      stuckThresholdHours: "The number of hours after which a pending proposal is stuck.",
      flowType: "Another name for `type`.",
      flowId: "Another name for `id`.",
      limit: "The largest number of findings."
    }),
    success: Diagnosis,
    door: fullGrant("mcp.read"),
    summary:
      "Find what is stuck or failing: proposals that wait too long, webhooks whose receiver fails, and runs of rules that failed, each with the reason. An empty list means that nothing is stuck or failing."
  })
] as const
