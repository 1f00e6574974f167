/** What it is to say something in a thread: carried out where nobody said otherwise, and never taken back. */
import { Effect } from "effect"
import { type WriteRefusal, invalid, NotFound } from "../../doors/Failure.ts"
import { strictly } from "../../doors/Faults.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { actorOf } from "../events/AppendEvent.ts"
import { type AppliedChange, writerOf } from "../gate/Changers.ts"
import type { Passed } from "../gate/Passed.ts"
import { contentOver, objectIn } from "../gate/Write.ts"
import { Records } from "../records/Records.ts"
import { Message, Saying } from "./Message.ts"
import { Thread } from "./Thread.ts"
import { spaceOf, Threads } from "./Threads.ts"

const contentOf = strictly(Saying)

/**
 * The reach under which a thread moves up when something is said in it. That follows from the message and changes
 * nothing that the thread says, so whoever may say something there needs no permission to edit it. The gate's decision
 * is about the message, and stays for its event.
 */
const moving = (reach: ReachShape): ReachShape => ({
  ...reach,
  bounds: (subject, action) => reach.bounds(subject, action === "update" ? "create" : action)
})

/** Registers who answers for messages, and answers how they are said: all of them or none. The ids are those it made. */
export const said = Effect.gen(function* () {
  const records = yield* Records
  const threads = yield* Threads
  const { atomically } = yield* Transaction

  const moved = (threadId: string, passed: Passed) =>
    Effect.gen(function* () {
      const event = { type: "thread.move", subjectId: threadId, data: { type: "thread" } }
      const reach = moving(yield* Reach)
      yield* Effect.provideService(records.change(Thread, threadId, {}, null, event, passed), Reach, reach)
    }).pipe(
      Effect.catchTags({
        RecordNotFound: () => Effect.fail(new NotFound({ why: "There is no such thread." })),
        RecordChanged: Effect.die // no version is expected
      })
    )

  const apply = ({ content, made = [], object }: AppliedChange, passed: Passed) =>
    Effect.gen(function* () {
      const { messages, threadId } = yield* contentOf(content)
      const authorId = actorOf(yield* Reach)
      return yield* atomically(
        Effect.gen(function* () {
          // First, as every write locks the record before the head of its space: the other way round two would
          // wait for each other.
          yield* moved(threadId, passed.besides)
          yield* Effect.forEach(messages, (message, at) => {
            const id = made[at] ?? uuidv7()
            return records.add(
              Message,
              { id, spaceId: object.spaceId, fields: { ...message, threadId, authorId } },
              { type: "message.create", subjectId: id, data: { type: "message", threadId, role: message.role } },
              at === 0 ? passed : passed.again
            )
          })
          return made
        })
      )
    })

  return yield* writerOf<ReadonlyArray<string>>("message", {
    traits: { subject: "channel", isDirect: true, actions: ["create"] },
    current: () => Effect.succeed(null),
    describe: (asked) =>
      Effect.gen(function* () {
        if (asked.action !== "create") return yield* invalid("proposalType", "What was said stays said.")
        const { personId } = (yield* Reach).principal
        const content = contentOver(asked, null)
        const { messages, threadId } = yield* contentOf(content)
        const thread = yield* threads.get(threadId)
        const many = messages.length === 1 ? "something" : `${messages.length} things`
        const where = thread.title === null ? "a thread" : `the thread “${thread.title}”`
        const object = objectIn(personId, spaceOf(thread), null)
        return { object, content, base: null, summary: `Say ${many} in ${where}` }
      }),
    // Messages are listed, and read up to, by their ids: they get these when they are said.
    check: ({ content }, moment) =>
      Effect.map(contentOf(content), ({ messages }) => ({
        content,
        ...(moment === "proposed" ? {} : { made: messages.map(() => uuidv7()) })
      })),
    apply: (change, passed): Effect.Effect<ReadonlyArray<string>, WriteRefusal, Reach> => apply(change, passed),
    irreversible: "What was said stays said."
  })
})
