/**
 * The store of inboxes. It counts unread messages. For each person and conversation, it stores the last message that
 * the person has read.
 */
import { Array, Context, Data, Effect, Layer } from "effect"
import { byUpdate, pageOfAll } from "../../doors/PageOrder.ts"
import type { Cursor } from "../../doors/Cursor.ts"
import { mapPage, type Page } from "../../doors/Page.ts"
import type { Reach } from "../../doors/Reach.ts"
import { latestFirst, newestFirst } from "../../doors/RowOrder.ts"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import { Channel } from "../conversations/Channel.ts"
import { Message } from "../conversations/Message.ts"
import { Thread } from "../conversations/Thread.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { readRecords } from "../records/RecordTable.ts"
import {
  type Conversation,
  conversationBounds,
  linkedMax,
  type LinkedUnread,
  threadsMax,
  unreadMax
} from "./Conversation.ts"
import { spaceOf } from "../../doors/OwnSpace.ts"

/** The failure if the channel, thread or message does not exist, or if the caller may not read it. */
export class ConversationNotFound extends Data.TaggedError("ConversationNotFound")<{ readonly id: string }> {}

export interface ConversationListing {
  /** The spaces to read. Null means every space that the call may read. */
  readonly spaces: ReadonlyArray<string> | null
  readonly limit: number
  readonly offset: number
  readonly cursor: Cursor | undefined
}

export class MessagingStore extends Context.Tag("pod/MessagingStore")<
  MessagingStore,
  {
    /** Lists the conversations, latest change first. */
    readonly list: (listing: ConversationListing) => Effect.Effect<Page<Conversation>, never, Reach>
    /** Lists the conversations that are linked to an object and have unread messages, latest change first. */
    readonly linked: (
      listing: Pick<ConversationListing, "spaces" | "limit">
    ) => Effect.Effect<LinkedUnread, never, Reach>
    /** Returns the id of the space of a channel or thread that the call may read. */
    readonly locate: (id: string) => Effect.Effect<string, ConversationNotFound, Reach>
    /**
     * Marks a conversation as read up to this message. Null means up to the latest message. A marker never moves back.
     * Returns the last message that the person has read.
     */
    readonly mark: (
      id: string,
      messageId: string | null,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<string | null, ConversationNotFound, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => {
      const find = (at: ReadContext, id: string) => inbox(at, null).find((one) => one.id === id)

      return {
        list: ({ spaces, ...place }) =>
          read((at) => {
            const page = pageOfAll(byUpdate, inbox(at, spaces), place)
            const shown = mapPage(page, ({ id, title, type, family, unread, latestMessages, workspaceId }) => ({
              id,
              title,
              type,
              family,
              unread,
              lastMessageAt: latestMessages[0]?.createdAt ?? null,
              workspaceId
            }))
            return Effect.succeed(shown)
          }),
        linked: ({ limit, spaces }) =>
          read((at) => {
            const linked = latestLinked(inbox(at, spaces)).flatMap(
              ({ id, title, contextObjectType, contextObjectId, unread }) =>
                contextObjectId === null || unread === 0
                  ? []
                  : [{ channelId: id, title, contextObjectType, contextObjectId, unread }]
            )
            const total = linked.reduce((sum, { unread }) => sum + unread, 0)
            return Effect.succeed({ linked: linked.slice(0, limit), total })
          }),
        locate: (id) =>
          read((at) => {
            const found = find(at, id)
            return found === undefined ? new ConversationNotFound({ id }) : Effect.succeed(spaceOf(found))
          }),
        mark: (id, messageId, event, passed) =>
          write((at) => {
            const { personId } = at.reach.principal
            const found = find(at, id)
            if (
              found === undefined ||
              (messageId !== null && !found.latestMessages.some((message) => message.id === messageId))
            ) {
              return new ConversationNotFound({ id })
            }
            const before = at.rows.find(markerTable, markerKey({ personId, conversationId: id }))?.messageId ?? null
            const upTo = messageId ?? found.latestMessages[0]?.id ?? null
            if (upTo === null || (before !== null && before >= upTo)) return Effect.succeed(before)
            at.rows.put(markerTable, { personId, conversationId: id, messageId: upTo })
            at.append(spaceOf(found), event, passed)
            return Effect.succeed(upTo)
          })
      }
    })
  )
}

/** The latest channels and threads of each space that are linked to an object. */
const latestLinked = (all: ReturnType<typeof inbox>): ReturnType<typeof inbox> => {
  const linked = all.filter(({ contextObjectId }) => contextObjectId !== null).toSorted(latestFirst)
  const ofPlace = Array.groupBy(linked, (one) => `${spaceOf(one)} ${one.type === "thread"}`)
  return Object.values(ofPlace)
    .flatMap((place) => place.slice(0, linkedMax))
    .toSorted(latestFirst)
}

/** The last message that a person has read in a channel or a thread. */
interface Marker {
  readonly personId: string
  readonly conversationId: string
  readonly messageId: string
}

const markerKey = ({ conversationId, personId }: Omit<Marker, "messageId">) => `${personId} ${conversationId}`
const markerTable = memoryTable<Marker>("read_markers", markerKey)

/**
 * All conversations that the call may read, the latest change first. Each conversation has its messages, the latest
 * message first.
 */
const inbox = ({ reach, rows }: ReadContext, spaces: ReadonlyArray<string> | null) => {
  const { personId } = reach.principal
  const within = conversationBounds(reach, spaces).spaces
  const channels = readRecords(rows, reach, Channel, within)
  const threads = readRecords(rows, reach, Thread, within)
  const messages = readRecords(rows, reach, Message, within)
  const readTo = (conversationId: string) =>
    rows.find(markerTable, markerKey({ personId, conversationId }))?.messageId ?? ""
  const isChannel = new Set(channels.map(({ id }) => id))
  const of = (counted: ReadonlyArray<Thread>) => {
    const threadMessages = counted.flatMap(({ id, parentChannelId }) => {
      const above = parentChannelId !== null && isChannel.has(parentChannelId) ? readTo(parentChannelId) : ""
      const mark = readTo(id) > above ? readTo(id) : above
      return messages
        .filter(({ threadId }) => threadId === id)
        .map((message) => ({ ...message, isUnread: message.id > mark && message.authorId !== personId }))
    })
    return threadMessages.toSorted(newestFirst)
  }
  const all = [
    ...channels.map((channel) => ({
      ...channel,
      latestMessages: of(
        threads
          .filter(({ parentChannelId }) => parentChannelId === channel.id)
          .toSorted(latestFirst)
          .slice(0, threadsMax)
      )
    })),
    ...threads.map((thread) => ({ ...thread, type: "thread", family: null, latestMessages: of([thread]) }))
  ]
  return all.map((one) => ({
    ...one,
    unread: Math.min(one.latestMessages.filter(({ isUnread }) => isUnread).length, unreadMax)
  }))
}
