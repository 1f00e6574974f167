/**
 * The service of proactive posts. It checks the person's preferences and the limits, finds the person's thread, and
 * writes the message.
 */
import { Context, DateTime, Effect, Either, Layer, Option } from "effect"
import type { WriteRefusal } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { emptyBounds, Reach, type ReachShape } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { StandingReach } from "../access/StandingReach.ts"
import { Messages } from "../conversations/Messages.ts"
import { newThread } from "../conversations/Thread.ts"
import { Threads } from "../conversations/Threads.ts"
import { correlationOf } from "../events/AppendEvent.ts"
import { EventLog } from "../events/EventLog.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { Passed } from "../gate/Passed.ts"
import { objectIn } from "../gate/Write.ts"
import { endOfQuietHours, isWanted } from "../notifications/Notification.ts"
import { Notifications } from "../notifications/Notifications.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { PostCountStore } from "./PostCountStore.ts"
import { notPosted, type PostAnswer, type ProactivePost, rateLimited } from "./ProactivePost.ts"

/**
 * The value of `externalSource` in the threads for posts. Each person has one thread for each workspace that posts are
 * about.
 */
const source = "proactive"

const threadFields = (workspaceId: string) => ({
  ...newThread,
  title: "Posts",
  externalSource: source,
  externalId: workspaceId
})

/**
 * Returns rights to the person's own space only, even if the grant does not allow this space. The service uses these
 * rights only for three things: to read the person's preferences, to log a post that the gate has allowed, and to count
 * this post.
 */
const atHome = (reach: ReachShape): ReachShape => ({
  ...reach,
  bounds: () => ({ ...emptyBounds, spaces: [reach.principal.personId] })
})

export class ProactivePosts extends Context.Tag("pod/ProactivePosts")<
  ProactivePosts,
  {
    /**
     * Writes the post as a message in a thread in the own space of the caller's person. So other members of the
     * workspace cannot read the post. If the agent needs approval, stores a proposal and fails with Proposed. The
     * limits count this proposal like a post.
     */
    readonly post: (draft: ProactivePost) => Effect.Effect<PostAnswer, WriteRefusal | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const counts = yield* PostCountStore
      const events = yield* EventLog
      const gate = yield* GovernanceGate
      const messages = yield* Messages
      const notifications = yield* Notifications
      const standing = yield* StandingReach
      const threads = yield* Threads
      const { exclusively } = yield* Transaction

      /** Returns the reason why the person does not want the post now. Returns null if the person wants the post. */
      const refusalOf = Effect.fnUntraced(function* ({ proactiveType }: ProactivePost, spaceId: string) {
        const preferences = yield* notifications.preferences
        if (!isWanted(preferences, "post", spaceId)) {
          return notPosted("muted", "The person does not want posts, or does not want posts about this workspace.")
        }
        const until = endOfQuietHours(preferences, yield* DateTime.now)
        if (until === null || (proactiveType === "alert" && preferences.alertsPassQuietHours)) return null
        return notPosted(
          "quiet_hours",
          `The person has quiet hours until ${DateTime.formatIso(until)}. Try again later.`
        )
      })

      /**
       * Finds or creates the thread in which the person gets the posts about one workspace. The thread belongs to the
       * person. So it is found or created with the person's rights, even if an agent writes the post.
       */
      const threadOf = Effect.fnUntraced(function* (spaceId: string) {
        const reach = yield* Reach
        const { personId } = reach.principal
        const work = {
          operation: "proactive.post",
          reason: "a person gets a thread for posts",
          scope: "hub-protocol.write" as const,
          correlationId: correlationOf(reach)
        }
        const newThread = threads.begin({ workspaceId: null, fields: threadFields(spaceId) })
        const found = yield* standing.run({ personId, keyId: null }, work, newThread)
        // `found` would be None only for a suspended person. The person of this call is not suspended, because the call
        // has already passed the authority check.
        return Option.getOrThrow(found).record.id
      })

      const metadataOf = ({ metadata, proactiveType, reasoning }: ProactivePost, spaceId: string) => ({
        ...metadata,
        proactive: { type: proactiveType, reasoning: reasoning ?? null, workspaceId: spaceId }
      })

      return {
        post: Effect.fnUntraced(function* (draft) {
          const spaceId = yield* requestedSpace(draft.workspaceId)
          const reach = yield* Reach
          const { personId } = reach.principal
          const home = <A, E>(work: Effect.Effect<A, E, Reach>) => Effect.provideService(work, Reach, atHome(reach))
          yield* gate.refuse({
            subject: "channel",
            kind: null,
            action: "create",
            object: objectIn(personId, personId, null),
            isDirect: true
          })
          const unwanted = yield* home(refusalOf(draft, spaceId))
          if (unwanted !== null) return unwanted
          const { content, proactiveType } = draft
          const metadata = metadataOf(draft, spaceId)
          const written = Effect.gen(function* () {
            const limit = yield* home(counts.take(spaceId))
            if (limit !== null) return Either.right(rateLimited(limit))
            // The count has checked the credential of the call in this transaction, for which a revocation waits. So
            // the pod makes no thread after it has answered a revocation.
            const channelId = yield* threadOf(spaceId)
            const message = { role: "assistant" as const, content, metadata, sessionId: null }
            const outcome = yield* Effect.either(messages.send(channelId, [message]))
            if (Either.isLeft(outcome)) {
              // The limits count a proposal like a post. So the transaction commits the proposal together with the
              // count. Any other failure rolls back the count.
              return outcome.left._tag === "Proposed" ? Either.left(outcome.left) : yield* outcome.left
            }
            const [messageId] = outcome.right
            const data = { proactiveType, workspaceId: spaceId, channelId }
            const event = { type: "ai.nudge.posted", subjectId: messageId, data, source: "intelligence" as const }
            yield* home(events.append(personId, event, Passed.bySystem("notify a person")))
            const where = { channelId, messageId, reason: null, detail: null }
            return Either.right<PostAnswer>({ posted: true, delivered: true, ...where })
          })
          // With the lock, two simultaneous posts are counted one after the other, even if two nodes receive these
          // posts.
          return yield* Effect.flatten(exclusively(`posts to ${personId} about ${spaceId}`, written))
        })
      }
    })
  )
}
