/** A focus session: what a person plans to do, and how it goes. Only that person can read it. */
import { Schema } from "effect"
import { example, described, CallerId, WorkspaceId, Json, JsonInput, pageQuery, Timestamp } from "../../doors/Fields.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"

const Goal = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(2_000))
const Status = Schema.Literal("active", "paused", "closed")
const CorrelationId = Schema.NullOr(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255)))
const Id = Schema.NullOr(Schema.UUID)
/** In percent. */
const Progress = Schema.NullOr(Schema.Number.pipe(Schema.between(0, 100)))
const Word = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))
const Outputs = Schema.Array(Schema.Struct({ kind: Word, label: Word, icon: Schema.optional(Word) })).pipe(
  Schema.maxItems(100)
)
const Agents = Schema.Array(Schema.UUID).pipe(Schema.maxItems(64))

/** Any JSON that the client chooses, such as a text or a list of steps; null until it is set. */
const reports = {
  contextReport: described("What was found out.", Json),
  planReport: described("What is planned.", Json),
  executionLog: described("What was done.", Json),
  verificationReport: described("What was checked.", Json)
}

export const FocusSession = recordType("focusSession", {
  identifier: "FocusSessionRecord",
  subject: "session",
  table: "focus_sessions",
  fields: {
    correlationId: described("What the client calls it: one session a person and space.", CorrelationId),
    goal: described("What the session is for.", Goal),
    status: Status,
    templateId: described("What it was made from.", Id),
    expectedOutputs: described("What should come out.", Outputs),
    channelId: described("A channel or a thread in the same space.", Id),
    progress: described("How far it has come, from 0 to 100.", Progress),
    agentIds: described("Agents of the person's own.", Agents),
    closedAt: Schema.NullOr(Timestamp),
    ...reports
  },
  visibility: "own",
  order: "created",
  title: ({ goal }) => goal ?? ""
})
export type FocusSession = typeof FocusSession.schema.Type

/** A focus session on the wire: its start is the time of its creation. */
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
    workspaceId: Schema.optional(Id),
    userId: Schema.optional(Schema.NullOr(CallerId)),
    correlationId: orNull(CorrelationId),
    goal: described("What the session is for.", Goal),
    status: Schema.optionalWith(Status, { default: () => "active" as const }),
    templateId: orNull(Id),
    expectedOutputs: described("What should come out.", Schema.optionalWith(Outputs, { default: () => [] })),
    channelId: orNull(Id),
    progress: orNull(Progress),
    agentIds: described("The agents that take part.", Schema.optionalWith(Agents, { default: () => [] })),
    contextReport: none,
    planReport: none,
    executionLog: none,
    verificationReport: none,
    reasoning: updateDetails.reasoning,
    sessionId: updateDetails.sessionId
  }).annotations({ identifier: "FocusSessionDraft" }),
  { goal: "Get the release out", correlationId: "release-42" }
)

export const FocusSessionChange = example(
  Schema.Struct({
    goal: described("What the session is for.", Schema.optional(Goal)),
    status: Schema.optional(Status),
    progress: described("How far it has come, from 0 to 100.", Schema.optional(Progress)),
    contextReport: described("What was found out.", Schema.optional(JsonInput)),
    planReport: described("What is planned.", Schema.optional(JsonInput)),
    executionLog: described("What was done.", Schema.optional(JsonInput)),
    verificationReport: described("What was checked.", Schema.optional(JsonInput)),
    ...updateDetails
  }).annotations({ identifier: "FocusSessionChange" }),
  { progress: 60 }
)

export const FocusSessionQuery = Schema.Struct({
  workspaceId: WorkspaceId,
  status: Schema.optional(Status),
  ...pageQuery(20, 50)
})
