/** What is said in threads: read with its thread alone, said at once and together. */
import { Context, Effect, Layer } from "effect"
import { type Forbidden, NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { actorOf } from "../events/AppendEvent.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { Passed } from "../governance/Passed.ts"
import { Records } from "../records/Records.ts"
import { Message, type MessageDraft } from "./Message.ts"
import { Thread } from "./Thread.ts"
import { type PageQuery, spaceOf, Threads } from "./Threads.ts"

export type SaidDraft = Pick<MessageDraft, "role" | "content" | "metadata" | "sessionId">

/**
 * The reach under which a thread moves up when something is said in it. That follows from the message and changes
 * nothing that the thread says, so whoever may say something there needs no permission to edit it. The gate's decision
 * is about the message, and stays for its event.
 */
const moving = (reach: ReachShape): ReachShape => ({
  ...reach,
  bounds: (subject, action) => reach.bounds(subject, action === "update" ? "create" : action)
})

export class Messages extends Context.Tag("pod/Messages")<
  Messages,
  {
    /** Latest first. Fails with NotFound where the caller does not read the thread. */
    readonly list: (threadId: string, page: PageQuery) => Effect.Effect<Page<Message>, NotFound, Reach>
    /**
     * Says all of them, in their order, or none, and moves the thread up. Answers their ids. An agent's are said too,
     * never proposed: it ends with Proposed only where the agent was never let into the workspace.
     */
    readonly say: (
      threadId: string,
      drafts: ReadonlyArray<SaidDraft>
    ) => Effect.Effect<ReadonlyArray<string>, NotFound | Forbidden | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const threads = yield* Threads
      const gate = yield* GovernanceGate
      const { atomically } = yield* Transaction

      const moved = (threadId: string, passed: Passed) =>
        Effect.gen(function* () {
          const event = { type: "thread.move", subjectId: threadId, data: { type: "thread" } }
          yield* Effect.provideService(
            records.change(Thread, threadId, {}, null, event, passed),
            Reach,
            moving(yield* Reach)
          )
        }).pipe(
          Effect.catchTags({
            RecordNotFound: () => Effect.fail(new NotFound({ why: "There is no such thread." })),
            RecordChanged: Effect.die // no version is expected
          })
        )

      return {
        list: (threadId, page) =>
          Effect.flatMap(threads.get(threadId), (thread) =>
            records.list(Message, { ...page, where: { threadId }, spaces: [spaceOf(thread)] })
          ),

        say: (threadId, drafts) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const { principal } = reach
            const spaceId = spaceOf(yield* threads.get(threadId))
            // Before the transaction: what the gate puts before a person has to stay when nothing is said.
            const passed = yield* gate.pass({
              subject: "channel",
              kind: null,
              action: "create",
              object: { spaceId, isPersonal: spaceId === principal.personId, objectId: null, projectIds: [] },
              isDirect: true
            })
            return yield* atomically(
              Effect.gen(function* () {
                // First, as every write locks the record before the head of its space: the other way round two would
                // wait for each other.
                yield* moved(threadId, passed.besides)
                return yield* Effect.forEach(drafts, (draft, at) => {
                  const id = uuidv7()
                  return Effect.as(
                    records.add(
                      Message,
                      { id, spaceId, fields: { ...draft, threadId, authorId: actorOf(reach) } },
                      { type: "message.create", subjectId: id, data: { type: "message", threadId, role: draft.role } },
                      at === 0 ? passed : passed.again
                    ),
                    id
                  )
                })
              })
            )
          })
      }
    })
  )
}
