/** The service of messages: it reads the messages of a thread, and writes several messages in one transaction. */
import { Context, Effect, Layer } from "effect"
import { spaceOf } from "../../doors/OwnSpace.ts"
import type { WriteRefusal, NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Records } from "../records/Records.ts"
import { Message, type MessageContent } from "./Message.ts"
import { messageWriter } from "./MessageChanger.ts"
import { type PageQuery, Threads } from "./Threads.ts"

export class Messages extends Context.Tag("pod/Messages")<
  Messages,
  {
    /** Lists the messages of a thread, latest first. Fails with NotFound if the caller cannot read the thread. */
    readonly list: (threadId: string, page: PageQuery) => Effect.Effect<Page<Message>, NotFound, Reach>
    /**
     * Writes all messages in their order, or none, and moves the thread to the top of the list of threads. Returns the
     * ids of the messages. Fails with Proposed if the calling agent needs approval for messages, or is not a member of
     * the workspace.
     */
    readonly say: (
      threadId: string,
      drafts: ReadonlyArray<MessageContent>
    ) => Effect.Effect<ReadonlyArray<string>, WriteRefusal | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const threads = yield* Threads
      const write = yield* messageWriter

      return {
        list: (threadId, page) =>
          Effect.flatMap(threads.get(threadId), (thread) =>
            records.list(Message, { ...page, where: { threadId }, spaces: [spaceOf(thread)] })
          ),
        // The gate decides before the transaction of the messages begins. If the gate stores a proposal, the proposal
        // must stay even if the pod writes no message.
        say: (threadId, messages) =>
          Effect.flatMap(Reach, ({ principal }) =>
            write({
              action: "create",
              targetId: uuidv7(),
              spaceId: principal.personId,
              content: { threadId, messages }
            })
          )
      }
    })
  )
}
