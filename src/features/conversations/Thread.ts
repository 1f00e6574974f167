/** A thread: one conversation, in a channel, as a branch of another thread, or alone. */
import { Schema } from "effect"
import { example, described, CallerId, WorkspaceId, pageQuery } from "../../doors/Fields.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"
import { Label, Title } from "./TitleAndLabel.ts"

const Purpose = Schema.NullOr(Schema.String.pipe(Schema.maxLength(2_000)))
const Summary = Schema.NullOr(Schema.String.pipe(Schema.maxLength(20_000)))
const ExternalId = Schema.NullOr(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(512)))
const Id = Schema.NullOr(Schema.UUID)

export const Thread = recordType("thread", {
  identifier: "Thread",
  subject: "channel",
  table: "threads",
  references: { contextObjectId: { typedBy: "contextObjectType" } },
  fields: {
    title: Schema.NullOr(Title),
    assignedAgentId: described("An agent of the person who assigned it.", Id),
    parentChannelId: described("The channel or the thread that it belongs to, in the same space.", Id),
    branchPurpose: described("Why it branched off.", Purpose),
    contextSummary: described("What is known so far.", Summary),
    status: Schema.NullOr(Label),
    contextObjectId: described("The object it is about, by id.", Id),
    contextObjectType: described("The type of that object.", Schema.NullOr(Label)),
    externalSource: described(
      "With `externalId`, its key in another system. A space has one thread for each key.",
      Schema.NullOr(Label)
    ),
    externalId: ExternalId
  }
})
export type Thread = typeof Thread.schema.Type

const orNull = <A, I>(schema: Schema.Schema<A | null, I | null>) => Schema.optionalWith(schema, { default: () => null })

export const ThreadDraft = example(
  Schema.Struct({
    workspaceId: Schema.optional(Id),
    userId: Schema.optional(Schema.NullOr(CallerId)),
    title: orNull(Schema.NullOr(Title)),
    agentId: orNull(Id),
    parentChannelId: orNull(Id),
    branchPurpose: orNull(Purpose),
    contextSummary: orNull(Summary),
    status: orNull(Schema.NullOr(Label)),
    contextObjectId: orNull(Id),
    contextObjectType: orNull(Schema.NullOr(Label)),
    externalSource: orNull(Schema.NullOr(Label)),
    externalId: orNull(ExternalId),
    reasoning: updateDetails.reasoning,
    sessionId: updateDetails.sessionId
  }).annotations({ identifier: "ThreadDraft" }),
  { title: "What goes into the next release?", externalSource: "chat", externalId: "C042/17" }
)

export const ThreadChange = example(
  Schema.Struct({
    title: Schema.optional(Schema.NullOr(Title)),
    agentId: described("The agent it belongs to.", Schema.optional(Id)),
    branchPurpose: described("Why it branched off.", Schema.optional(Purpose)),
    contextSummary: described("What is known so far.", Schema.optional(Summary)),
    status: Schema.optional(Schema.NullOr(Label)),
    contextObjectId: described("The object it is about, by id.", Schema.optional(Id)),
    contextObjectType: described("The type of that object.", Schema.optional(Schema.NullOr(Label))),
    ...updateDetails
  }).annotations({ identifier: "ThreadChange" }),
  { contextSummary: "The release waits for one fix." }
)

/** `reused`: a thread with this external key existed already, and nothing was written. */
export const StartedThread = Schema.Struct({
  id: Schema.UUID,
  title: Schema.optional(Schema.String),
  reused: described("Whether it existed already.", Schema.optional(Schema.Boolean))
}).annotations({ identifier: "ThreadBegun" })

export const ThreadQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  parentChannelId: described("What it branches from.", Schema.optional(Schema.UUID)),
  ...pageQuery(50, 200)
})

export const Branches = Schema.Struct({
  branches: described(
    "Threads that branch off.",
    Schema.Array(
      Schema.Struct({
        channelId: described("The channel it belongs to.", Schema.UUID),
        branchPurpose: described("Why it branched off.", Schema.NullOr(Schema.String)),
        status: Schema.NullOr(Schema.String)
      })
    )
  )
}).annotations({ identifier: "Branches" })
