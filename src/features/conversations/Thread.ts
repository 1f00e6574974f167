/** A thread: one conversation. It is in a channel, is a branch of another thread, or stands alone. */
import { Schema } from "effect"
import { described, CallerId, optionalOrNull, WorkspaceId } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf, inWorkspace } from "../records/RecordInputs.ts"
import { createDetails, recordType, updateDetails } from "../records/RecordType.ts"
import { ContextObjectType, Label, Title } from "./TitleAndLabel.ts"

const branchMeaning = "Why the thread branches off its parent."

export const Thread = recordType("thread", {
  identifier: "Thread",
  subject: "channel",
  table: "threads",
  unique: { fields: ["externalSource", "externalId"] },
  references: { contextObjectId: { typeField: "contextObjectType" } },
  fields: {
    title: writable(Schema.NullOr(Title), { default: null }),
    assignedAgentId: described(
      "Id of the assigned agent: an agent of the person who assigned the thread.",
      Schema.NullOr(Id)
    ),
    parentChannelId: writable(Schema.NullOr(Id), {
      meaning: "Id of the parent channel or thread, in the same space.",
      default: null,
      change: false
    }),
    branchPurpose: writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(2_000))), {
      meaning: branchMeaning,
      default: null
    }),
    contextSummary: writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(20_000))), {
      meaning: "A summary of the thread so far.",
      default: null
    }),
    status: writable(Schema.NullOr(Label), { default: null }),
    contextObjectId: writable(Schema.NullOr(Id), {
      meaning: "Id of the object that the thread is about.",
      default: null
    }),
    contextObjectType: writable(Schema.NullOr(ContextObjectType), { default: null }),
    externalSource: writable(Schema.NullOr(Label), {
      meaning: "Source system of the thread. A space has one thread per `externalSource` and `externalId`.",
      default: null,
      change: false
    }),
    externalId: writable(Schema.NullOr(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(512))), {
      meaning: "Id of the thread in its source system.",
      default: null,
      change: false
    })
  }
})
export type Thread = typeof Thread.schema.Type

/** The default values of a thread that the pod itself begins. The code that begins the thread sets the other fields. */
export const newThread = { ...Schema.decodeSync(Schema.Struct(Thread.draft))({}), assignedAgentId: null }

const agentMeaning = "Id of the caller's agent to which the thread is assigned."

export const ThreadDraft = inputOf(
  "ThreadDraft",
  {
    ...inWorkspace,
    userId: optionalOrNull(CallerId),
    agentId: described(agentMeaning, Schema.optionalWith(Schema.NullOr(Id), { default: () => null })),
    ...Thread.draft,
    ...createDetails
  },
  { title: "What goes into the next release?", externalSource: "chat", externalId: "C042/17" }
)

export const ThreadChange = inputOf(
  "ThreadChange",
  { agentId: described(agentMeaning, optionalOrNull(Id)), ...Thread.change, ...updateDetails },
  { contextSummary: "The release waits for one fix." }
)

/**
 * With the status `reused`, a thread with the same `externalSource` and `externalId` already existed, and the pod wrote
 * nothing.
 */
export const StartedThread = Schema.Struct({
  id: Id,
  title: Schema.optional(Schema.String),
  reused: described("Whether the thread existed before this call.", Schema.optional(Schema.Boolean))
}).annotations({ identifier: "ThreadBegun" })

export const ThreadQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  parentChannelId: described("Only threads that branch off the channel or thread with this id.", Schema.optional(Id)),
  ...pageQuery("threads", 50, 200)
})

export const Branches = Schema.Struct({
  branches: described(
    "Threads that branch off the thread.",
    Schema.Array(
      Schema.Struct({
        channelId: Id,
        branchPurpose: described(branchMeaning, Schema.NullOr(Schema.String)),
        status: Schema.NullOr(Schema.String)
      })
    )
  )
}).annotations({ identifier: "Branches" })
