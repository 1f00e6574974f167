/** A message in a thread. Messages are never changed. */
import { Schema } from "effect"
import {
  example,
  FocusSessionId,
  described,
  CallerId,
  JsonObject,
  JsonObjectInput,
  Timestamp
} from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { recordType } from "../records/RecordType.ts"

const TurnRole = Schema.Literal("system", "assistant", "user")
const Content = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100_000))
const Metadata = Schema.NullOr(JsonObject)

export const Message = recordType("message", {
  identifier: "MessageRecord",
  subject: "channel",
  table: "messages",
  fields: {
    threadId: described("Id of the thread that has the message.", Id),
    role: described("Who speaks: the user, the assistant or the system.", TurnRole),
    content: described("Text of the message.", Content),
    authorId: described(
      "Id of the sender: the holder of the credential. For the key of an agent, the sender is the agent.",
      Id
    ),
    sessionId: Schema.NullOr(FocusSessionId),
    metadata: described("Data that only clients use.", Metadata)
  },
  order: "created"
})
export type Message = typeof Message.schema.Type

/** A message on the wire. */
export const MessageWire = Schema.extend(
  Message.schema,
  Schema.Struct({ timestamp: described("Time of the message.", Timestamp) })
).annotations({
  identifier: "Message"
})

export const toWire = (message: Message): typeof MessageWire.Type => ({ ...message, timestamp: message.createdAt })

const draft = {
  role: described("Who speaks: the user, the assistant or the system.", TurnRole),
  content: described("Text of the message.", Content),
  userId: described("Id of the caller; any other id is refused.", Schema.optional(Schema.NullOr(Schema.String))),
  metadata: described(
    "Data that only clients use.",
    Schema.optionalWith(Schema.NullOr(JsonObjectInput), { default: () => null })
  ),
  sessionId: described(
    "Id of the focus session that the message belongs to.",
    Schema.optionalWith(Schema.NullOr(Id), { default: () => null })
  ),
  autoRespond: described("Ignored: the pod does not answer messages.", Schema.optional(Schema.Boolean))
}

export const MessageDraft = example(Schema.Struct(draft).annotations({ identifier: "MessageDraft" }), {
  role: "user",
  content: "Is the fix in?"
})
export type MessageDraft = typeof MessageDraft.Type

/** The part of a message draft that is stored. The author is always the caller, and the pod never answers a message. */
const { autoRespond: _unused, userId: _caller, ...kept } = draft
const MessageContent = Schema.Struct(kept)
export type MessageContent = typeof MessageContent.Type

export const batchMax = 100 // the most messages in one request; one transaction locks the thread while it writes them

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
  threadId: described("Id of the thread that has the message.", Id),
  messages: described(
    "Messages, oldest first.",
    Schema.Array(MessageContent).pipe(Schema.minItems(1), Schema.maxItems(batchMax))
  )
})

export const MessageResponse = Schema.Struct({
  success: Schema.Literal(true),
  messageId: described("Id of the stored message.", Id)
}).annotations({
  identifier: "MessageSaid"
})

export const MessageBatchResponse = Schema.Struct({
  messageIds: described("Ids of the stored messages.", Schema.Array(Id))
}).annotations({
  identifier: "MessagesSaid"
})
