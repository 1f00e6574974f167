/** What an inbox needs counted and kept: unread messages, and how far each person has read. */
import { Context, Data, DateTime, Effect, Layer, Ref } from "effect"
import type { Cursor } from "../../doors/Fields.ts"
import { cutPage, mapPage, type Page } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { Channel } from "../conversations/Channel.ts"
import { Message } from "../conversations/Message.ts"
import { Thread } from "../conversations/Thread.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import { everyRecord } from "../records/EveryRecord.ts"
import { Records } from "../records/Records.ts"
import { type Conversation, conversationBounds, type LinkedUnread, unreadMost } from "./Conversation.ts"

/** There is no such channel, thread or message for this caller. */
export class ConversationNotFound extends Data.TaggedError("ConversationNotFound")<{ readonly id: string }> {}

export interface ConversationListing {
  /** Null: every space the call reads. */
  readonly spaces: ReadonlyArray<string> | null
  readonly limit: number
  readonly offset: number
  readonly cursor: Cursor | undefined
}

export class MessagingStore extends Context.Tag("pod/MessagingStore")<
  MessagingStore,
  {
    /** Latest change first. */
    readonly list: (listing: ConversationListing) => Effect.Effect<Page<Conversation>, never, Reach>
    /** Those about something in which something is unread, latest change first. */
    readonly linked: (
      listing: Pick<ConversationListing, "spaces" | "limit">
    ) => Effect.Effect<LinkedUnread, never, Reach>
    /** The space of a channel or a thread that the call reads. */
    readonly place: (id: string) => Effect.Effect<string, ConversationNotFound, Reach>
    /**
     * Marks a conversation as read up to that message, or to the latest (null). Never backwards. Answers how far the
     * person has read it.
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
    Effect.gen(function* () {
      const records = yield* Records
      const { append } = yield* MemoryEvents
      const markers = yield* Ref.make<ReadonlyMap<string, string>>(new Map())

      /** Everything the call reads, with the messages of each conversation, latest first. */
      const inbox = (spaces: ReadonlyArray<string> | null) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const within = { spaces: conversationBounds(reach, spaces).spaces }
          const channels = yield* everyRecord(records, Channel, within)
          const threads = yield* everyRecord(records, Thread, within)
          const messages = yield* everyRecord(records, Message, within)
          const read = yield* Ref.get(markers)
          const readTo = (id: string | null) => read.get(`${reach.principal.personId} ${id}`) ?? ""
          const isChannel = new Set(channels.map(({ id }) => id))
          const of = (held: ReadonlyArray<Thread>) => {
            const said = held.flatMap(({ id, parentChannelId }) => {
              const above = parentChannelId !== null && isChannel.has(parentChannelId) ? readTo(parentChannelId) : ""
              const mark = readTo(id) > above ? readTo(id) : above
              return messages
                .filter(({ threadId }) => threadId === id)
                .map((message) => ({
                  ...message,
                  isUnread: message.id > mark && message.authorId !== reach.principal.personId
                }))
            })
            return said.toSorted((one, other) => (one.id < other.id ? 1 : -1))
          }
          const all = [
            ...channels.map((channel) => ({
              ...channel,
              said: of(threads.filter(({ parentChannelId }) => parentChannelId === channel.id))
            })),
            ...threads.map((thread) => ({ ...thread, type: "thread", family: null, said: of([thread]) }))
          ]
          return all
            .map((one) => ({
              ...one,
              unread: Math.min(one.said.filter(({ isUnread }) => isUnread).length, unreadMost)
            }))
            .toSorted((one, other) => DateTime.distance(one.updatedAt, other.updatedAt) || (one.id < other.id ? 1 : -1))
        })

      const find = (id: string) =>
        Effect.flatMap(inbox(null), (all) => {
          const found = all.find((one) => one.id === id)
          return found === undefined ? Effect.fail(new ConversationNotFound({ id })) : Effect.succeed(found)
        })
      const spaceOf = (one: { readonly workspaceId: string | null; readonly userId: string }) =>
        one.workspaceId ?? one.userId

      return {
        list: ({ cursor, limit, offset, spaces }) =>
          Effect.gen(function* () {
            const past = (yield* inbox(spaces)).filter(({ id, updatedAt }) => {
              const at = DateTime.formatIso(updatedAt)
              return (
                cursor === undefined || cursor.at === null || at < cursor.at || (at === cursor.at && id < cursor.id)
              )
            })
            const page = cutPage(past.slice(offset, offset + limit + 1), limit, ({ id, updatedAt }) => ({
              at: DateTime.formatIso(updatedAt),
              id
            }))
            return mapPage(page, ({ id, title, type, family, unread, said, workspaceId }) => ({
              id,
              title,
              type,
              family,
              unread,
              lastMessageAt: said[0]?.createdAt ?? null,
              workspaceId
            }))
          }),
        linked: ({ limit, spaces }) =>
          Effect.map(inbox(spaces), (all) => {
            const linked = all.flatMap(({ id, title, contextObjectType, contextObjectId, unread }) =>
              contextObjectId === null || unread === 0
                ? []
                : [{ channelId: id, title, contextObjectType, contextObjectId, unread }]
            )
            return { linked: linked.slice(0, limit), total: linked.reduce((sum, { unread }) => sum + unread, 0) }
          }),
        place: (id) => Effect.map(find(id), spaceOf),
        mark: (id, messageId, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const found = yield* find(id)
            if (messageId !== null && !found.said.some((message) => message.id === messageId)) {
              return yield* new ConversationNotFound({ id })
            }
            const key = `${reach.principal.personId} ${id}`
            const before = (yield* Ref.get(markers)).get(key) ?? null
            const upTo = messageId ?? found.said[0]?.id ?? null
            if (upTo === null || (before !== null && before >= upTo)) return before
            yield* Ref.update(markers, (kept) => new Map(kept).set(key, upTo))
            yield* append(reach, spaceOf(found), event, passed)
            return upTo
          })
      }
    })
  )
}
