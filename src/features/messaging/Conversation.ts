/** A channel or a thread as a person's inbox shows it, with what they have not read yet. */
import { Schema } from "effect"
import { WorkspaceId, described, limitQuery, pageQuery, Timestamp } from "../../doors/Fields.ts"
import type { Bounds, ReachShape } from "../../doors/Reach.ts"
import { inSpaces } from "../../doors/Reach.ts"

/** Unread messages of one conversation are counted no further. */
export const unreadMax = 1_000

const shown = {
  title: Schema.NullOr(Schema.String),
  type: described("The type of the channel; `thread` for a thread.", Schema.String),
  unread: described("The number of unread messages from others, at most 1000.", Schema.Number)
}

const Conversation = Schema.Struct({
  id: Schema.UUID,
  ...shown,
  family: described("The family of the channel: a group of channel types.", Schema.NullOr(Schema.String)),
  lastMessageAt: described("The time of the last message.", Schema.NullOr(Timestamp)),
  workspaceId: Schema.NullOr(WorkspaceId)
}).annotations({ identifier: "Conversation" })
export type Conversation = typeof Conversation.Type

export const Conversations = Schema.Struct({
  channels: described("The channels and threads.", Schema.Array(Conversation))
}).annotations({
  identifier: "Conversations"
})

const Linked = Schema.Struct({
  channelId: described("The id of the channel that the thread belongs to.", Schema.UUID),
  title: shown.title,
  contextObjectType: described("The type of the object that the conversation is about.", Schema.NullOr(Schema.String)),
  contextObjectId: described("The id of the object that the conversation is about.", Schema.UUID),
  unread: shown.unread
})
export type Linked = typeof Linked.Type

/** `total` is the sum over all of them, also those that the limit leaves out. */
export const LinkedUnread = Schema.Struct({
  linked: described("The linked channels and threads, with their unread messages.", Schema.Array(Linked)),
  total: Schema.Number
}).annotations({
  identifier: "LinkedUnread"
})
export type LinkedUnread = typeof LinkedUnread.Type

/** `lastMessageId`: how far the person has read; null when there are no messages yet. */
export const Marked = Schema.Struct({
  success: Schema.Literal(true),
  channelId: described("The id of the channel that the thread belongs to.", Schema.UUID),
  lastMessageId: described("The id of the last message.", Schema.NullOr(Schema.UUID))
}).annotations({ identifier: "ReadMarked" })

export const ConversationQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  ...pageQuery(50, 200)
})

export const LinkedQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  limit: limitQuery(50, 200)
})

/** The conversations of a call: what its grant reads of channels, in the spaces where it reads messaging as well. */
export const conversationBounds = (reach: ReachShape, spaces: ReadonlyArray<string> | null): Bounds => {
  const both = inSpaces(reach.bounds("channel", "read"), reach.bounds("messaging", "read").spaces)
  return spaces === null ? both : inSpaces(both, spaces)
}
