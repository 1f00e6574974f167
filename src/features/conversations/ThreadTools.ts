/** The MCP tools of threads. */
import { Schema } from "effect"
import { tool } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { MessageWire } from "./Message.ts"
import { Thread } from "./Thread.ts"
import { described } from "../../doors/Fields.ts"

export const ThreadTools = [
  tool("svc_get_thread_context", {
    title: "Get the context of a thread",
    input: Schema.Struct({ threadId: described("The thread it belongs to.", Schema.UUID) }),
    success: Schema.Struct({
      thread: described("The thread.", Thread.schema),
      messages: described("In the order they were said.", Schema.Array(MessageWire))
    }),
    door: fullGrant("mcp.read"),
    summary: "Read a thread with the last 50 things said in it, oldest first."
  })
] as const
