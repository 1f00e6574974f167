/**
 * A proactive post: a message that an agent writes in a channel of its person, although the person did not ask for a
 * message.
 */
import { Schema } from "effect"
import { CallerId, described, example, isStorable, JsonObject, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

/** The maximum number of posts to one person about one workspace, in an hour and in a day. */
export const limits = { hour: 3, day: 10 }
export type ReachedLimit = keyof typeof limits

// The maximum number of characters of the metadata as JSON. The pod stores the metadata with each message.
const metadataMax = 10_000
const reasoningMax = 2_000

const ProactiveType = Schema.Literal(
  "insight",
  "suggestion",
  "alert",
  "nudge",
  "morning_briefing",
  "weekly_digest",
  "health_check"
).annotations({ identifier: "ProactiveType" })

const isSmall = (metadata: Readonly<Record<string, unknown>>): boolean => {
  const text = JSON.stringify(metadata)
  return text.length <= metadataMax && isStorable(text) && !text.includes("\\u0000")
}

const Metadata = JsonObject.pipe(
  Schema.filter(isSmall, {
    message: () => `Use at most ${metadataMax} characters of JSON, without U+0000 and without half a surrogate pair.`,
    jsonSchema: {}
  })
)

export const ProactivePost = example(
  Schema.Struct({
    userId: described("Id of the caller; any other id is refused.", CallerId),
    workspaceId: described("Workspace that the post is about.", WorkspaceId),
    content: described(
      "Text of the post; Markdown is allowed.",
      Schema.String.pipe(Schema.minLength(1), Schema.maxLength(10_000))
    ),
    proactiveType: described("Type of the post.", ProactiveType),
    reasoning: described(
      "Reason for the post. The person sees it.",
      Schema.optional(Schema.NullOr(Schema.String.pipe(Schema.maxLength(reasoningMax))))
    ),
    metadata: described(
      "Data that the client stores, at most 10,000 characters as JSON.",
      Schema.optional(Schema.NullOr(Metadata))
    )
  }).annotations({ identifier: "ProactivePost" }),
  {
    userId: "01890a5d-ac96-774b-bcce-b302099a8057",
    workspaceId: "01890a5d-ac96-774b-bcce-b302099a8058",
    content: "Two contracts end this week.",
    proactiveType: "nudge"
  }
)
export type ProactivePost = typeof ProactivePost.Type

const Reason = Schema.Literal("rate_limited", "quiet_hours", "muted")

/** The answer to a request for a post. It says where the post is, or why there is no post. */
export const PostAnswer = Schema.Struct({
  posted: described("Whether the pod wrote the message.", Schema.Boolean),
  delivered: described("Same as `posted`.", Schema.Boolean),
  channelId: described("Id of the thread that contains the message.", Schema.NullOr(Id)),
  messageId: Schema.NullOr(Id),
  reason: described("Why the pod wrote no message; null if the pod wrote a message.", Schema.NullOr(Reason)),
  detail: described("Why the pod wrote no message, as a sentence for people.", Schema.NullOr(Schema.String))
}).annotations({ identifier: "ProactivePostAnswer" })
export type PostAnswer = typeof PostAnswer.Type

export const notPosted = (reason: typeof Reason.Type, detail: string): PostAnswer => ({
  posted: false,
  delivered: false,
  channelId: null,
  messageId: null,
  reason,
  detail
})

const limitText = {
  hour: `A person gets at most ${limits.hour} posts in an hour about one workspace. Try again later.`,
  day: `A person gets at most ${limits.day} posts in 24 hours about one workspace. Try again later.`
}

export const rateLimited = (limit: ReachedLimit): PostAnswer => notPosted("rate_limited", limitText[limit])
