/** The MCP tools of threads. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { MessageWire } from "./Message.ts"
import { Thread } from "./Thread.ts"

export const ThreadTools = [
  tool("svc_get_thread_context", {
    title: "Get the context of a thread",
    input: describeArguments(Schema.Struct({ threadId: Schema.UUID }), { threadId: "The thread to read." }),
    success: Schema.Struct({ thread: Thread.schema, messages: Schema.Array(MessageWire) }),
    door: fullGrant("mcp.read"),
    summary: "Read a thread with its last 50 messages, oldest first."
  })
] as const
