/**
 * Checks and writes messages after the decision of the gate. The pod writes a message without approval, unless a
 * governance rule requires approval. It never reverts a message.
 */
import { Effect } from "effect"
import { spaceOf } from "../../doors/OwnSpace.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { type WriteRefusal, invalid } from "../../doors/Failure.ts"
import { strictDecoder } from "../../doors/Faults.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { actorOf } from "../events/AppendEvent.ts"
import { type AppliedChange, writerOf } from "../gate/Changers.ts"
import type { Passed } from "../gate/Passed.ts"
import { requestedContent, objectIn } from "../gate/Write.ts"
import { Records } from "../records/Records.ts"
import { Message, NewMessages } from "./Message.ts"
import { Thread } from "./Thread.ts"
import { Threads } from "./Threads.ts"

const contentOf = strictDecoder(NewMessages)

/**
 * A new message moves its thread to the top of the list of threads. The move changes no content of the thread, so the
 * permission to write messages must be enough. Returns the access rights of the caller, extended by the right to make
 * this move.
 */
const threadMoveReach = (reach: ReachShape): ReachShape => ({
  ...reach,
  bounds: (subject, action) => reach.bounds(subject, action === "update" ? "create" : action)
})

/**
 * Registers how the gate checks and applies messages, and returns the function that writes messages. This function
 * writes all messages or none, and returns the ids of the messages.
 */
export const messageWriter = Effect.gen(function* () {
  const records = yield* Records
  const threads = yield* Threads
  const { atomically } = yield* Transaction

  const moveThread = Effect.fnUntraced(
    function* (threadId: string, passed: Passed) {
      const event = { type: "thread.move", subjectId: threadId, data: { type: "thread" } }
      const reach = threadMoveReach(yield* Reach)
      yield* Effect.provideService(records.change(Thread, threadId, { fields: {} }, event, passed), Reach, reach)
    },
    Effect.catchTags({
      RecordNotFound: () => Effect.fail(missingRecord("thread")),
      RecordChanged: Effect.die // this cannot happen, because the call names no expected version
    })
  )

  const apply = Effect.fnUntraced(function* ({ content, createdIds = [], object }: AppliedChange, passed: Passed) {
    const { messages, threadId } = yield* contentOf(content)
    const authorId = actorOf(yield* Reach)
    return yield* atomically(
      Effect.gen(function* () {
        // The pod writes the thread before the messages. Every write locks its record first, and then the row with the
        // number of the last event of the space. With another order, two writes could block each other for ever.
        yield* moveThread(threadId, passed.forOthers)
        yield* Effect.forEach(messages, (message, at) => {
          const id = createdIds[at] ?? uuidv7()
          return records.add(
            Message,
            { id, spaceId: object.spaceId, fields: { ...message, threadId, authorId } },
            { type: "message.create", subjectId: id, data: { type: "message", threadId, role: message.role } },
            at === 0 ? passed : passed.forNext
          )
        })
        return createdIds
      })
    )
  })

  return yield* writerOf<ReadonlyArray<string>>("message", {
    traits: { subject: "channel", isDirect: true, actions: ["create"] },
    current: () => Effect.succeed(null),
    describe: Effect.fnUntraced(function* (request) {
      if (request.action !== "create")
        return yield* invalid("proposalType", "A message cannot be changed or removed. Write another message instead.")
      const { personId } = (yield* Reach).principal
      const content = requestedContent(request, null)
      const { messages, threadId } = yield* contentOf(content)
      const thread = yield* threads.get(threadId)
      const many = messages.length === 1 ? "a message" : `${messages.length} messages`
      const where = thread.title === null ? "a thread" : `the thread “${thread.title}”`
      const object = objectIn(personId, spaceOf(thread), null)
      return { object, content, base: null, summary: `Post ${many} in ${where}` }
    }),
    // Messages are sorted by their ids, so a message gets its id only when the pod writes it.
    check: ({ content }, moment) =>
      Effect.map(contentOf(content), ({ messages }) => ({
        content,
        ...(moment === "proposed" ? {} : { createdIds: messages.map(() => uuidv7()) })
      })),
    apply: (change, passed): Effect.Effect<ReadonlyArray<string>, WriteRefusal, Reach> => apply(change, passed),
    irreversible: "A message cannot be changed or removed. Write another message instead."
  })
})
