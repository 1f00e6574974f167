/** A thread: one conversation, in a channel, as a branch of another thread, or alone. */
import { Schema } from "effect"
import { example, described, CallerId, WorkspaceId } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"
import { ContextObjectType, Label, Title } from "./TitleAndLabel.ts"

const Purpose = Schema.NullOr(Schema.String.pipe(Schema.maxLength(2_000)))
const Summary = Schema.NullOr(Schema.String.pipe(Schema.maxLength(20_000)))
const ExternalId = Schema.NullOr(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(512)))
const NullableId = Schema.NullOr(Id)

export const Thread = recordType("thread", {
  identifier: "Thread",
  subject: "channel",
  table: "threads",
  unique: { fields: ["externalSource", "externalId"] },
  references: { contextObjectId: { typedBy: "contextObjectType" } },
  fields: {
    title: Schema.NullOr(Title),
    assignedAgentId: described("Id of the assigned agent: an agent of the person who assigned the thread.", NullableId),
    parentChannelId: described("Id of the parent channel or thread, in the same space.", NullableId),
    branchPurpose: described("Purpose of the branch.", Purpose),
    contextSummary: described("A summary of the thread so far.", Summary),
    status: Schema.NullOr(Label),
    contextObjectId: described("Id of the object that the thread is about.", NullableId),
    contextObjectType: Schema.NullOr(ContextObjectType),
    externalSource: described(
      "Source system of the thread. A space has one thread per `externalSource` and `externalId`.",
      Schema.NullOr(Label)
    ),
    externalId: described("Id of the thread in its source system.", ExternalId)
  }
})
export type Thread = typeof Thread.schema.Type

/** The default fields of a thread that the pod itself begins. The pod then sets some of them. */
export const newThread = {
  title: null,
  assignedAgentId: null,
  parentChannelId: null,
  branchPurpose: null,
  contextSummary: null,
  status: null,
  contextObjectId: null,
  contextObjectType: null,
  externalSource: null,
  externalId: null
}

const orNull = <A, I>(schema: Schema.Schema<A | null, I | null>) => Schema.optionalWith(schema, { default: () => null })

export const ThreadDraft = example(
  Schema.Struct({
    workspaceId: described("Workspace; null means the personal space.", Schema.optional(NullableId)),
    userId: Schema.optional(Schema.NullOr(CallerId)),
    title: orNull(Schema.NullOr(Title)),
    agentId: described("Id of the caller's agent to which the thread is assigned.", orNull(NullableId)),
    parentChannelId: described("Id of the parent channel or thread, in the same space.", orNull(NullableId)),
    branchPurpose: described("Purpose of the branch.", orNull(Purpose)),
    contextSummary: described("A summary of the thread so far.", orNull(Summary)),
    status: orNull(Schema.NullOr(Label)),
    contextObjectId: described("Id of the object that the thread is about.", orNull(NullableId)),
    contextObjectType: orNull(Schema.NullOr(ContextObjectType)),
    externalSource: described(
      "Source system of the thread. A space has one thread per `externalSource` and `externalId`.",
      orNull(Schema.NullOr(Label))
    ),
    externalId: described("Id of the thread in its source system.", orNull(ExternalId)),
    reasoning: updateDetails.reasoning,
    sessionId: updateDetails.sessionId
  }).annotations({ identifier: "ThreadDraft" }),
  { title: "What goes into the next release?", externalSource: "chat", externalId: "C042/17" }
)

export const ThreadChange = example(
  Schema.Struct({
    title: Schema.optional(Schema.NullOr(Title)),
    agentId: described("Id of the caller's agent to which the thread is assigned.", Schema.optional(NullableId)),
    branchPurpose: described("Purpose of the branch.", Schema.optional(Purpose)),
    contextSummary: described("A summary of the thread so far.", Schema.optional(Summary)),
    status: Schema.optional(Schema.NullOr(Label)),
    contextObjectId: described("Id of the object that the thread is about.", Schema.optional(NullableId)),
    contextObjectType: Schema.optional(Schema.NullOr(ContextObjectType)),
    ...updateDetails
  }).annotations({ identifier: "ThreadChange" }),
  { contextSummary: "The release waits for one fix." }
)

/** `reused`: a thread with this external key existed already, and nothing was written. */
export const StartedThread = Schema.Struct({
  id: Id,
  title: Schema.optional(Schema.String),
  reused: described("Whether the thread existed before this call.", Schema.optional(Schema.Boolean))
}).annotations({ identifier: "ThreadBegun" })

export const ThreadQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  parentChannelId: described("Channel or thread that the threads branch off.", Schema.optional(Id)),
  ...pageQuery(50, 200)
})

export const Branches = Schema.Struct({
  branches: described(
    "Threads that branch off the thread.",
    Schema.Array(
      Schema.Struct({
        channelId: described("Id of the channel of the thread.", Id),
        branchPurpose: described("Purpose of the branch.", Schema.NullOr(Schema.String)),
        status: Schema.NullOr(Schema.String)
      })
    )
  )
}).annotations({ identifier: "Branches" })
