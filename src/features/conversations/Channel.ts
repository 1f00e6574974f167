/** A channel: a group of threads. */
import { Schema } from "effect"
import { example, described, WorkspaceId, CallerId } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"
import { ContextObjectType, Label, Title } from "./TitleAndLabel.ts"

export const Channel = recordType("channel", {
  identifier: "Channel",
  subject: "channel",
  table: "channels",
  references: { contextObjectId: { typedBy: "contextObjectType" } },
  fields: {
    title: Schema.NullOr(Title),
    type: Label,
    family: described("Group of the channel type.", Schema.NullOr(Label)),
    contextObjectId: described("Id of the object that the channel is about, if any.", Schema.NullOr(Id)),
    contextObjectType: Schema.NullOr(ContextObjectType),
    agentId: described("Id of the agent that answers in the channel.", Schema.NullOr(Id))
  }
})
export type Channel = typeof Channel.schema.Type

export const ChannelDraft = example(
  Schema.Struct({
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
    userId: Schema.optional(Schema.NullOr(CallerId)),
    title: Schema.optionalWith(Schema.NullOr(Title), { default: () => null }),
    type: Schema.optionalWith(Label, { default: () => "chat" }),
    family: described("Group of the channel type.", Schema.optionalWith(Schema.NullOr(Label), { default: () => null })),
    contextObjectId: described(
      "Id of the object that the channel is about.",
      Schema.optionalWith(Schema.NullOr(Id), { default: () => null })
    ),
    contextObjectType: Schema.optionalWith(Schema.NullOr(ContextObjectType), { default: () => null }),
    agentId: described(
      "Id of the agent that answers in the channel.",
      Schema.optionalWith(Schema.NullOr(Id), { default: () => null })
    ),
    reasoning: updateDetails.reasoning,
    sessionId: updateDetails.sessionId
  }).annotations({ identifier: "ChannelDraft" }),
  { title: "Releases", type: "chat" }
)

export const ChannelChange = example(
  Schema.Struct({
    title: Schema.optional(Schema.NullOr(Title)),
    type: Schema.optional(Label),
    family: described("Group of the channel type.", Schema.optional(Schema.NullOr(Label))),
    contextObjectId: described("Id of the object that the channel is about.", Schema.optional(Schema.NullOr(Id))),
    contextObjectType: Schema.optional(Schema.NullOr(ContextObjectType)),
    agentId: described("Id of the agent that answers in the channel.", Schema.optional(Schema.NullOr(Id))),
    ...updateDetails
  }).annotations({ identifier: "ChannelChange" }),
  { title: "Releases and patches" }
)

export const ChannelQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  type: Schema.optional(Label),
  ...pageQuery(50, 200)
})
