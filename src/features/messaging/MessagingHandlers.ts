/** The handlers of the inbox: they translate between the endpoints and the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { pagedAnswer } from "../../doors/Page.ts"
import { Messaging } from "./Messaging.ts"
import { MessagingApi } from "./MessagingApi.ts"

export const layer = implement(
  MessagingApi,
  Effect.map(Messaging, (messaging) => ({
    "messaging.channels": ({ urlParams: { cursor, ...listing } }) =>
      Effect.map(messaging.channels({ ...listing, cursor }), (page) => pagedAnswer(page, (channels) => ({ channels }))),
    "messaging.linkedUnread": ({ urlParams }) => messaging.linkedUnread(urlParams),
    "messaging.read": ({ path, urlParams: { messageId } }) =>
      Effect.map(messaging.markRead(path.id, messageId), (lastMessageId) => ({
        success: true as const,
        channelId: path.id,
        lastMessageId
      }))
  }))
)
