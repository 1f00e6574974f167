/**
 * A focus session: what a person plans to do, and how much of the plan is done. Only that person can read the session.
 */
import { Schema } from "effect"
import { CallerId, WorkspaceId, Json, JsonInput, optionalOrNull, Timestamp } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf, inWorkspace } from "../records/RecordInputs.ts"
import { createDetails, recordType, updateDetails } from "../records/RecordType.ts"

const Status = Schema.Literal("active", "paused", "closed").annotations({ identifier: "FocusSessionStatus" })
const Word = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))
const Output = Schema.Struct({ kind: Word, label: Word, icon: Schema.optional(Word) })

/**
 * Makes the field of a report. A report is any JSON that the client chooses, such as a text or a list of steps. It is
 * null until the client sets it.
 */
const report = (meaning: string) => writable(Json, { meaning, input: JsonInput, default: null })

export const FocusSession = recordType("focusSession", {
  identifier: "FocusSessionRecord",
  subject: "session",
  table: "focus_sessions",
  unique: { fields: ["userId", "correlationId"] },
  fields: {
    correlationId: writable(Schema.NullOr(Word), {
      meaning: "Id that the client chose for the session; unique per person and space.",
      default: null,
      change: false
    }),
    goal: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(2_000))),
    status: writable(Status, { default: "active" }),
    templateId: writable(Schema.NullOr(Id), {
      meaning: "Id of a template, for clients; the pod only stores this id.",
      default: null,
      change: false
    }),
    expectedOutputs: writable(Schema.Array(Output).pipe(Schema.maxItems(100)), {
      meaning: "Outputs that the session should produce.",
      default: [],
      change: false
    }),
    channelId: writable(Schema.NullOr(Id), {
      meaning: "Id of the channel or thread about the session, in the same space.",
      default: null,
      change: false
    }),
    progress: writable(Schema.NullOr(Schema.Number.pipe(Schema.between(0, 100))), {
      meaning: "Progress in percent, from 0 to 100.",
      default: null
    }),
    agentIds: writable(Schema.Array(Id).pipe(Schema.maxItems(64)), {
      meaning: "Ids of the person's agents that take part.",
      default: [],
      change: false
    }),
    closedAt: Schema.NullOr(Timestamp),
    contextReport: report("What the participants found out."),
    planReport: report("What the participants plan to do."),
    executionLog: report("What the participants did, step by step."),
    verificationReport: report("How the participants checked the result.")
  },
  visibility: "own",
  order: "created",
  title: ({ goal }) => goal ?? ""
})
export type FocusSession = typeof FocusSession.schema.Type

/** The fields of a focus session in the API. `startedAt` is the time when the session was created. */
export const FocusSessionWire = Schema.extend(FocusSession.schema, Schema.Struct({ startedAt: Timestamp })).annotations(
  { identifier: "FocusSession" }
)

export const toWire = (session: FocusSession): typeof FocusSessionWire.Type => ({
  ...session,
  startedAt: session.createdAt
})

export const FocusSessionDraft = inputOf(
  "FocusSessionDraft",
  { ...inWorkspace, userId: optionalOrNull(CallerId), ...FocusSession.draft, ...createDetails },
  { goal: "Get the release out", correlationId: "release-42" }
)
export const FocusSessionChange = inputOf(
  "FocusSessionChange",
  { ...FocusSession.change, ...updateDetails },
  { progress: 60 }
)

export const FocusSessionQuery = Schema.Struct({
  workspaceId: WorkspaceId,
  status: Schema.optional(Status),
  ...pageQuery("focusSessions", 20, 50)
})
