/** A channel: a group of threads. */
import { Schema } from "effect"
import { CallerId, optionalOrNull, WorkspaceId } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { changeOf, inputOf, inWorkspace } from "../records/RecordInputs.ts"
import { createDetails, recordType } from "../records/RecordType.ts"
import { ContextObjectType, Label, Title } from "./TitleAndLabel.ts"

export const Channel = recordType("channel", {
  identifier: "Channel",
  subject: "channel",
  table: "channels",
  references: { contextObjectId: { typeField: "contextObjectType" } },
  fields: {
    title: writable(Schema.NullOr(Title), { default: null }),
    type: writable(Label, { default: "chat" }),
    family: writable(Schema.NullOr(Label), {
      meaning: "Group of channel types, as the client names it.",
      default: null
    }),
    contextObjectId: writable(Schema.NullOr(Id), {
      meaning: "Id of the object that the channel is about.",
      default: null
    }),
    contextObjectType: writable(Schema.NullOr(ContextObjectType), { default: null }),
    agentId: writable(Schema.NullOr(Id), { meaning: "Id of the agent that answers in the channel.", default: null })
  }
})
export type Channel = typeof Channel.schema.Type

export const ChannelDraft = inputOf(
  "ChannelDraft",
  { ...inWorkspace, userId: optionalOrNull(CallerId), ...Channel.draft, ...createDetails },
  { title: "Releases", type: "chat" }
)
export const ChannelChange = changeOf(Channel, { title: "Releases and patches" })

export const ChannelQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  type: Schema.optional(Label),
  ...pageQuery("channels", 50, 200)
})
