/** A focus session: what a person plans to do, and how much of it is done. Only that person can read the session. */
import { Schema } from "effect"
import { example, described, CallerId, WorkspaceId, Json, JsonInput, Timestamp } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"

const Goal = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(2_000))
const Status = Schema.Literal("active", "paused", "closed")
const CorrelationId = Schema.NullOr(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255)))
const NullableId = Schema.NullOr(Id)
/** The progress in percent. */
const Progress = Schema.NullOr(Schema.Number.pipe(Schema.between(0, 100)))
const Word = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))
const Outputs = Schema.Array(Schema.Struct({ kind: Word, label: Word, icon: Schema.optional(Word) })).pipe(
  Schema.maxItems(100)
)
const Agents = Schema.Array(Id).pipe(Schema.maxItems(64))

/**
 * The reports of a session. A report is any JSON that the client chooses, such as a text or a list of steps. Each
 * report is null until the client sets it.
 */
const reports = {
  contextReport: described("Report on the findings.", Json),
  planReport: described("Report on the plan.", Json),
  executionLog: described("Log of the work.", Json),
  verificationReport: described("Report on the checks.", Json)
}

export const FocusSession = recordType("focusSession", {
  identifier: "FocusSessionRecord",
  subject: "session",
  table: "focus_sessions",
  unique: { fields: ["userId", "correlationId"] },
  fields: {
    correlationId: described("The client's id for the session, unique per person and space.", CorrelationId),
    goal: described("Goal of the session.", Goal),
    status: Status,
    templateId: described("Id of the template of the session.", NullableId),
    expectedOutputs: described("Outputs that the session should produce.", Outputs),
    channelId: described("Id of a channel or thread in the same space.", NullableId),
    progress: described("Progress in percent, from 0 to 100.", Progress),
    agentIds: described("Ids of the person's agents that take part.", Agents),
    closedAt: Schema.NullOr(Timestamp),
    ...reports
  },
  visibility: "own",
  order: "created",
  title: ({ goal }) => goal ?? ""
})
export type FocusSession = typeof FocusSession.schema.Type

/** A focus session as the API shows it. `startedAt` is the time when the session was created. */
export const FocusSessionWire = Schema.extend(FocusSession.schema, Schema.Struct({ startedAt: Timestamp })).annotations(
  { identifier: "FocusSession" }
)

export const toWire = (session: FocusSession): typeof FocusSessionWire.Type => ({
  ...session,
  startedAt: session.createdAt
})

const orNull = <A, I>(schema: Schema.Schema<A | null, I | null>) => Schema.optionalWith(schema, { default: () => null })
const none = Schema.optionalWith(JsonInput, { default: () => null })

export const FocusSessionDraft = example(
  Schema.Struct({
    workspaceId: described("Workspace; null means the personal space.", Schema.optional(NullableId)),
    userId: Schema.optional(Schema.NullOr(CallerId)),
    correlationId: described("The client's id for the session, unique per person and space.", orNull(CorrelationId)),
    goal: described("Goal of the session.", Goal),
    status: Schema.optionalWith(Status, { default: () => "active" as const }),
    templateId: described("Id of the template of the session.", orNull(NullableId)),
    expectedOutputs: described(
      "Outputs that the session should produce.",
      Schema.optionalWith(Outputs, { default: () => [] })
    ),
    channelId: described("Id of a channel or thread in the same space.", orNull(NullableId)),
    progress: described("Progress in percent, from 0 to 100.", orNull(Progress)),
    agentIds: described(
      "Ids of the agents that take part in the session.",
      Schema.optionalWith(Agents, { default: () => [] })
    ),
    contextReport: described("Report on the findings.", none),
    planReport: described("Report on the plan.", none),
    executionLog: described("Log of the work.", none),
    verificationReport: described("Report on the checks.", none),
    reasoning: updateDetails.reasoning,
    sessionId: updateDetails.sessionId
  }).annotations({ identifier: "FocusSessionDraft" }),
  { goal: "Get the release out", correlationId: "release-42" }
)

export const FocusSessionChange = example(
  Schema.Struct({
    goal: described("Goal of the session.", Schema.optional(Goal)),
    status: Schema.optional(Status),
    progress: described("Progress in percent, from 0 to 100.", Schema.optional(Progress)),
    contextReport: described("Report on the findings.", Schema.optional(JsonInput)),
    planReport: described("Report on the plan.", Schema.optional(JsonInput)),
    executionLog: described("Log of the work.", Schema.optional(JsonInput)),
    verificationReport: described("Report on the checks.", Schema.optional(JsonInput)),
    ...updateDetails
  }).annotations({ identifier: "FocusSessionChange" }),
  { progress: 60 }
)

export const FocusSessionQuery = Schema.Struct({
  workspaceId: WorkspaceId,
  status: Schema.optional(Status),
  ...pageQuery(20, 50)
})
