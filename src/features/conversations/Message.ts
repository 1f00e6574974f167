/** A message in a thread. Messages are never changed. */
import { Schema } from "effect"
import {
  CallerId,
  ClientData,
  ClientDataInput,
  FocusSessionId,
  described,
  example,
  optionalOrNull,
  Timestamp
} from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf } from "../records/RecordInputs.ts"
import { recordType } from "../records/RecordType.ts"

export const Message = recordType("message", {
  identifier: "MessageRecord",
  subject: "channel",
  table: "messages",
  fields: {
    threadId: Id,
    role: writable(Schema.Literal("system", "assistant", "user"), {
      meaning: "Who speaks: the user, the assistant or the system."
    }),
    content: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100_000))),
    authorId: described("Id of the sender: the person or agent that holds the credential.", Id),
    sessionId: writable(Schema.NullOr(FocusSessionId), { default: null }),
    metadata: writable(Schema.NullOr(ClientData), {
      input: Schema.NullOr(ClientDataInput),
      default: null
    })
  },
  order: "created"
})
export type Message = typeof Message.schema.Type

export const MessageWire = Schema.extend(Message.schema, Schema.Struct({ timestamp: Timestamp })).annotations({
  identifier: "Message"
})

export const toWire = (message: Message): typeof MessageWire.Type => ({ ...message, timestamp: message.createdAt })

export const MessageDraft = inputOf(
  "MessageDraft",
  {
    ...Message.draft,
    userId: optionalOrNull(CallerId),
    autoRespond: described("Ignored: the pod does not answer messages.", Schema.optional(Schema.Boolean))
  },
  { role: "user", content: "Is the fix in?" }
)
export type MessageDraft = typeof MessageDraft.Type

/**
 * The part of a message draft that the pod stores. It has no author, because the author is always the caller. It has no
 * `autoRespond`, because the pod never answers a message.
 */
const MessageContent = Schema.Struct(Message.draft)
export type MessageContent = typeof MessageContent.Type

// The maximum number of messages in one request. One transaction locks the thread while it writes the messages.
export const batchMax = 100

export const MessageBatch = example(
  Schema.Struct({
    userId: Schema.optional(Schema.NullOr(CallerId)),
    messages: described(
      "Messages, oldest first.",
      Schema.Array(MessageDraft).pipe(Schema.minItems(1), Schema.maxItems(batchMax))
    )
  }).annotations({ identifier: "MessageBatch" }),
  {
    messages: [
      { role: "user", content: "Is the fix in?" },
      { role: "assistant", content: "It was merged this morning." }
    ]
  }
)

/** The content of a change: a thread and its new messages. */
export const NewMessages = Schema.Struct({
  threadId: Message.stored.threadId,
  messages: described(
    "Messages, oldest first.",
    Schema.Array(MessageContent).pipe(Schema.minItems(1), Schema.maxItems(batchMax))
  )
})

export const MessageResponse = Schema.Struct({
  success: Schema.Literal(true),
  messageId: Id
}).annotations({
  identifier: "MessageSaid"
})

export const MessageBatchResponse = Schema.Struct({
  messageIds: Schema.Array(Id)
}).annotations({
  identifier: "MessagesSaid"
})
