/** A channel: a place where threads belong together. */
import { Schema } from "effect"
import { pageQuery } from "../../doors/Fields.ts"
import { circumstances, recordType } from "../records/RecordType.ts"
import { Label, Title } from "./Words.ts"

export const Channel = recordType("channel", {
  identifier: "Channel",
  subject: "channel",
  table: "channels",
  references: { contextObjectId: { typedBy: "contextObjectType" } },
  fields: {
    title: Schema.NullOr(Title),
    type: Label,
    /** Types that belong together. */
    family: Schema.NullOr(Label),
    /** What it is about, where it is about something. */
    contextObjectId: Schema.NullOr(Schema.UUID),
    contextObjectType: Schema.NullOr(Label),
    /** The agent that answers there. */
    agentId: Schema.NullOr(Schema.UUID)
  }
})
export type Channel = typeof Channel.schema.Type

export const ChannelDraft = Schema.Struct({
  workspaceId: Schema.optional(Schema.NullOr(Schema.UUID)),
  userId: Schema.optional(Schema.NullOr(Schema.String)),
  title: Schema.optionalWith(Schema.NullOr(Title), { default: () => null }),
  type: Schema.optionalWith(Label, { default: () => "chat" }),
  family: Schema.optionalWith(Schema.NullOr(Label), { default: () => null }),
  contextObjectId: Schema.optionalWith(Schema.NullOr(Schema.UUID), { default: () => null }),
  contextObjectType: Schema.optionalWith(Schema.NullOr(Label), { default: () => null }),
  agentId: Schema.optionalWith(Schema.NullOr(Schema.UUID), { default: () => null }),
  reasoning: circumstances.reasoning,
  sessionId: circumstances.sessionId
}).annotations({ identifier: "ChannelDraft" })

export const ChannelChange = Schema.Struct({
  title: Schema.optional(Schema.NullOr(Title)),
  type: Schema.optional(Label),
  family: Schema.optional(Schema.NullOr(Label)),
  contextObjectId: Schema.optional(Schema.NullOr(Schema.UUID)),
  contextObjectType: Schema.optional(Schema.NullOr(Label)),
  agentId: Schema.optional(Schema.NullOr(Schema.UUID)),
  ...circumstances
}).annotations({ identifier: "ChannelChange" })

export const ChannelQuery = Schema.Struct({
  workspaceId: Schema.optional(Schema.UUID),
  type: Schema.optional(Label),
  ...pageQuery(50, 200)
})
