/**
 * The service of a person's inbox. It counts the unread messages in the conversations that the person may read, and
 * marks conversations as read.
 */
import { Context, Effect, Layer } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { type Forbidden, NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { requestedSpaces } from "../workspaces/WorkspaceAccess.ts"
import type { Conversation, LinkedUnread } from "./Conversation.ts"
import { type ConversationListing, MessagingStore } from "./MessagingStore.ts"

interface InWorkspace {
  readonly workspaceId?: string | undefined
}

export class Messaging extends Context.Tag("pod/Messaging")<
  Messaging,
  {
    readonly channels: (
      listing: InWorkspace & Omit<ConversationListing, "spaces">
    ) => Effect.Effect<Page<Conversation>, Forbidden, Reach>
    readonly linkedUnread: (
      listing: InWorkspace & { readonly limit: number }
    ) => Effect.Effect<LinkedUnread, Forbidden, Reach>
    /**
     * Marks a channel with its threads, or one thread, as read by the caller's person. Marks the messages up to the
     * given message. If no message is given, marks all messages. Returns the id of the last message that is marked as
     * read. Agents are not allowed to do this, because the person has not read a message that only an agent has read.
     */
    readonly markRead: (
      id: string,
      messageId: string | undefined
    ) => Effect.Effect<string | null, NotFound | Forbidden | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* MessagingStore
      const gate = yield* GovernanceGate
      const traits = yield* (yield* Changers).declare("read_marker", {
        subject: "messaging",
        kind: null,
        isForPeople: true,
        actions: ["update"]
      })
      const conversationMissing = missingRecord("channel, thread or message")

      return {
        channels: ({ workspaceId, ...listing }) =>
          Effect.flatMap(requestedSpaces(workspaceId), (spaces) => store.list({ ...listing, spaces })),

        linkedUnread: ({ limit, workspaceId }) =>
          Effect.flatMap(requestedSpaces(workspaceId), (spaces) => store.linked({ limit, spaces })),

        markRead: Effect.fnUntraced(
          function* (id, messageId) {
            const { principal } = yield* Reach
            const placed = yield* store.locate(id)
            // A read marker belongs to the person. So the gate judges the write in the person's own space, and even a
            // viewer of the workspace can move the marker. But if the caller's key is limited to workspaces, the gate
            // judges the write in the space of the conversation.
            const isKept = principal.workspaceId !== null || (principal.grant?.workspaceIds ?? null) !== null
            const spaceId = isKept ? placed : principal.personId
            const object = { spaceId, isPersonal: spaceId === principal.personId, objectId: null, projectIds: [] }
            const passed = yield* gate.pass({ ...traits, action: "update", object })
            return yield* store.mark(
              id,
              messageId ?? null,
              { type: "messaging.update", subjectId: id, data: {} },
              passed
            )
          },
          Effect.catchTag("ConversationNotFound", () => Effect.fail(conversationMissing))
        )
      }
    })
  )
}
