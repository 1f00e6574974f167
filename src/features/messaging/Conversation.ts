/** A channel or a thread in a person's inbox, with the number of unread messages. */
import { Schema } from "effect"
import { WorkspaceId, described, Timestamp } from "../../doors/Fields.ts"
import { limitQuery, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import type { Bounds, ReachShape } from "../../doors/Reach.ts"
import { inSpaces } from "../../doors/Reach.ts"

/** the count of the unread messages in a conversation stops at this number */
export const unreadMax = 1_000

/**
 * the pod looks for the messages of a channel in this many of its threads, latest update first; each message updates its
 * thread
 */
export const threadsMax = 1_000

/** the pod looks for unread messages in this many linked channels, and as many linked threads, of each space */
export const linkedMax = 500

const conversationFields = {
  title: Schema.NullOr(Schema.String),
  type: described("Type of the channel; `thread` for a thread.", Schema.String),
  unread: described(
    `Number of unread messages from others, at most ${unreadMax}; of a channel, in its ${threadsMax} latest threads.`,
    Schema.Number
  )
}

const Conversation = Schema.Struct({
  id: Id,
  ...conversationFields,
  family: described("Group of channel types, as the client names it.", Schema.NullOr(Schema.String)),
  lastMessageAt: Schema.NullOr(Timestamp),
  workspaceId: Schema.NullOr(WorkspaceId)
}).annotations({ identifier: "Conversation" })
export type Conversation = typeof Conversation.Type

export const Conversations = Schema.Struct({
  channels: described("Channels and threads.", Schema.Array(Conversation))
}).annotations({
  identifier: "Conversations"
})

const LinkedChannel = Schema.Struct({
  channelId: Id,
  title: conversationFields.title,
  contextObjectType: described("Type of the object in `contextObjectId`.", Schema.NullOr(Schema.String)),
  contextObjectId: described("Id of the object to which the conversation is linked.", Id),
  unread: conversationFields.unread
})
export type LinkedChannel = typeof LinkedChannel.Type

/**
 * The conversations with unread messages that are linked to an object. `total` is the number of unread messages in all
 * these conversations, including the conversations that the limit leaves out.
 */
export const LinkedUnread = Schema.Struct({
  linked: described(
    `Linked channels and threads, from the ${linkedMax} latest of each in a space, with their unread messages.`,
    Schema.Array(LinkedChannel)
  ),
  total: Schema.Number
}).annotations({
  identifier: "LinkedUnread"
})
export type LinkedUnread = typeof LinkedUnread.Type

/**
 * The answer to a request that marks a conversation as read. `lastMessageId` is the last message that the person has
 * read. It is null if the person has read no message.
 */
export const MarkReadResult = Schema.Struct({
  success: Schema.Literal(true),
  channelId: Id,
  lastMessageId: described("Id of the last message that is marked as read; null if none.", Schema.NullOr(Id))
}).annotations({ identifier: "ReadMarked" })

export const ConversationQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  ...pageQuery("conversations", 50, 200)
})

export const LinkedQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  limit: limitQuery(50, 200)
})

/**
 * Returns the limits for a statement that reads conversations. The grant must allow reading the channel, and also
 * reading `messaging` in the space of the channel.
 */
export const conversationBounds = (reach: ReachShape, spaces: ReadonlyArray<string> | null): Bounds => {
  const both = inSpaces(reach.bounds("channel", "read"), reach.bounds("messaging", "read").spaces)
  return spaces === null ? both : inSpaces(both, spaces)
}
