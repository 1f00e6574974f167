/** The MCP tools of threads. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { fullGrantInSpaces, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { IdempotencyKeyInput, idempotencyKeyText } from "../../doors/RepeatableTool.ts"
import { MessageDraft, MessageWire } from "./Message.ts"
import { Thread, ThreadDraft } from "./Thread.ts"

const { content, metadata, sessionId } = MessageDraft.fields
const { workspaceId } = ThreadDraft.fields

export const PostedMessage = Schema.Struct({
  threadId: Id,
  messageId: Id
})

export const ThreadTools = [
  tool("svc_get_thread_context", {
    title: "Get the context of a thread",
    input: describeArguments(Schema.Struct({ threadId: Id }), { threadId: "The id of the thread to read." }),
    success: Schema.Struct({ thread: Thread.schema, messages: Schema.Array(MessageWire) }),
    door: fullGrantInSpaces("mcp.read"),
    errors: [NotFound],
    summary: "Read a thread with its last 50 messages, oldest first."
  }),
  tool("svc_post_message", {
    title: "Post a message",
    input: describeArguments(
      Schema.Struct({
        content,
        threadId: Schema.optional(Id),
        title: Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))),
        workspaceId,
        sessionId,
        metadata,
        idempotencyKey: IdempotencyKeyInput
      }),
      {
        content: "The text of the message.",
        threadId: "The id of the thread to write in. Default: a new thread.",
        title: "The title of the new thread; only without `threadId`.",
        workspaceId:
          "The id of the workspace of the new thread. Default: the personal space of the person that you act for.",
        sessionId: "The id of the focus session that the message belongs to.",
        metadata: "Your own data, which the pod stores with the message.",
        idempotencyKey: idempotencyKeyText
      }
    ),
    success: PostedMessage,
    door: writes("mcp.write", "channel", ["create"], undefined, "message"),
    profiles: ["entry"],
    summary:
      "Write a message to people in a thread, such as a question or a result. Without `threadId` a new thread begins. To wait for the answer, call `svc_wait_for_answer` with the `threadId` and `messageId` of the result."
  })
] as const
