/**
 * The service with which an agent waits for an answer. The service searches for the answer immediately, and again after
 * each write, until the time of the wait is over.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import { invalid, type Invalid, TooMany, type WriteRefusal } from "../../doors/Failure.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { toWire } from "../conversations/Message.ts"
import { Messages } from "../conversations/Messages.ts"
import { EventFeed, feedBounds } from "../events/EventFeed.ts"
import { EventWatch } from "../events/EventWatch.ts"
import type { StreamPosition } from "../events/StreamPosition.ts"
import { Proposals } from "../proposals/Proposals.ts"
import type { WaitAnswer, WaitInput } from "./WaitTools.ts"

// the maximum number of messages in one answer; the agent can read the other messages in the thread
const messagesMax = 20
// the maximum number of waiting calls of one credential, so that no credential can block the pod
const waitsMax = 10
// the minimum pause between two searches, so that many writes cause only one search
const pause = Duration.millis(100)

const tooManyWaits = new TooMany({
  why: `This credential already has ${waitsMax} calls that wait for an answer, and more are not allowed. End one of them first.`,
  retryAfterSeconds: 5
})

export class Waiting extends Context.Tag("pod/Waiting")<
  Waiting,
  {
    /**
     * Waits for a message of somebody else or for the decision on a proposal. Fails with NotFound if the caller cannot
     * read the thread or the proposal. Fails with Invalid if the request names neither a thread nor a proposal.
     */
    readonly answer: (input: WaitInput) => Effect.Effect<WaitAnswer, WriteRefusal | Invalid | TooMany, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const feed = yield* EventFeed
      const messages = yield* Messages
      const proposals = yield* Proposals
      const watch = yield* EventWatch
      const counts = new Map<string, number>()

      const counted = <A, E, R>(credentialId: string, work: Effect.Effect<A, E, R>) =>
        Effect.acquireUseRelease(
          Effect.suspend(() => {
            const now = counts.get(credentialId) ?? 0
            if (now >= waitsMax) return Effect.fail(tooManyWaits)
            counts.set(credentialId, now + 1)
            return Effect.void
          }),
          () => work,
          () =>
            Effect.sync(() => {
              const remaining = (counts.get(credentialId) ?? 1) - 1
              if (remaining === 0) counts.delete(credentialId)
              else counts.set(credentialId, remaining)
            })
        )

      /** Reads the latest messages of the thread, latest first. */
      const latest = (threadId: string) =>
        Effect.map(
          readFirst(messagesMax, (limit) => messages.list(threadId, { limit })),
          ({ items }) => items
        )

      /**
       * Returns the id of the message after which the wait begins. An answer must be a later message. Later messages
       * have greater ids.
       */
      const beginning = Effect.fnUntraced(function* ({ afterMessageId, threadId }: WaitInput) {
        if (threadId === undefined || afterMessageId !== undefined) return afterMessageId ?? ""
        const { holder } = (yield* Reach).principal
        const known = yield* latest(threadId)
        return (known.find(({ authorId }) => authorId === holder.id) ?? known[0])?.id ?? ""
      })

      const look = Effect.fnUntraced(function* ({ proposalId, threadId }: WaitInput, after: string) {
        const { holder } = (yield* Reach).principal
        const found = threadId === undefined ? [] : yield* latest(threadId)
        const answers = found.filter(({ authorId, id }) => id > after && authorId !== holder.id)
        const proposal = proposalId === undefined ? undefined : yield* proposals.get(proposalId)
        const isDecided = proposal !== undefined && proposal.status !== "pending"
        return {
          answered: answers.length > 0 || isDecided,
          messages: answers.toReversed().map(toWire),
          ...(proposal && {
            proposal: { id: proposal.id, status: proposal.status, reason: proposal.statusReason }
          })
        }
      })

      /** Returns the number of the last event of each space whose event log the caller can read. */
      const headsNow = (reach: ReachShape) =>
        Effect.map(
          // `PositionUnknown` cannot occur, because this call sends no position.
          Effect.catchTag(feed.after({}, undefined, 1), "PositionUnknown", Effect.die),
          ({ readTo }): StreamPosition =>
            // A space without events has no last event. The code uses the number 0 instead, so that the first event of
            // the space is new.
            new Map(feedBounds(reach, {}).spaces.map((spaceId) => [spaceId, readTo.get(spaceId) ?? 0]))
        )

      const news = (reach: ReachShape, heads: StreamPosition, mark: number) =>
        Effect.async<void>((resume) => {
          const stop = watch.newsAfter(reach, heads, mark)(() => resume(Effect.void))
          return Effect.sync(stop)
        })

      const until = (input: WaitInput, after: string, endMs: number): ReturnType<typeof look> =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const mark = watch.mark(reach)
          const heads = yield* headsNow(reach)
          const found = yield* look(input, after)
          const leftMs = endMs - (yield* elapsedMs)
          if (found.answered || leftMs <= 0) return found
          yield* Effect.raceFirst(news(reach, heads, mark), Effect.sleep(leftMs))
          yield* Effect.sleep(pause)
          return yield* until(input, after, endMs)
        })

      return {
        answer: Effect.fnUntraced(function* (input) {
          if (input.threadId === undefined && input.proposalId === undefined) {
            return yield* invalid("threadId", "Send `threadId`, `proposalId` or both.")
          }
          const { credential } = (yield* Reach).principal
          const endMs = (yield* elapsedMs) + input.timeoutSeconds * 1000
          return yield* counted(
            credential.id,
            Effect.flatMap(beginning(input), (after) => until(input, after, endMs))
          )
        })
      }
    })
  )
}
