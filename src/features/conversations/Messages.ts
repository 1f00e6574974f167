/** What is said in threads: read with its thread alone, said at once and together. */
import { Context, Effect, Layer } from "effect"
import type { WriteRefusal, NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Records } from "../records/Records.ts"
import { Message, type SaidDraft } from "./Message.ts"
import { said } from "./MessageChanger.ts"
import { type PageQuery, spaceOf, Threads } from "./Threads.ts"

export class Messages extends Context.Tag("pod/Messages")<
  Messages,
  {
    /** Latest first. Fails with NotFound where the caller does not read the thread. */
    readonly list: (threadId: string, page: PageQuery) => Effect.Effect<Page<Message>, NotFound, Reach>
    /**
     * Says all of them, in their order, or none, and moves the thread up. Answers their ids. Ends with Proposed where
     * somebody asked to see first what the agent says, and where it was never let into the workspace.
     */
    readonly say: (
      threadId: string,
      drafts: ReadonlyArray<SaidDraft>
    ) => Effect.Effect<ReadonlyArray<string>, WriteRefusal | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const threads = yield* Threads
      const write = yield* said

      return {
        list: (threadId, page) =>
          Effect.flatMap(threads.get(threadId), (thread) =>
            records.list(Message, { ...page, where: { threadId }, spaces: [spaceOf(thread)] })
          ),
        // Before the transaction that says them: what the gate puts before a person has to stay when nothing is said.
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
