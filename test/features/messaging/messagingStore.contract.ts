/** What every inbox store must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { Channel } from "../../../src/features/conversations/Channel.ts"
import { Message } from "../../../src/features/conversations/Message.ts"
import { Thread } from "../../../src/features/conversations/Thread.ts"
import { type ConversationListing, MessagingStore } from "../../../src/features/messaging/MessagingStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { addAnyRecord, anyEvent } from "../../support/anyRecord.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, aPerson, aWorkspaceOf, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"

const store = Effect.flatMap(MessagingStore, Effect.succeed)
const list = (reach: ReachShape, asked: Partial<ConversationListing> = {}) =>
  Effect.flatMap(store, (kept) =>
    withReach(reach)(kept.list({ spaces: null, limit: 10, offset: 0, cursor: undefined, ...asked }))
  )
const linked = (reach: ReachShape, limit = 10) =>
  Effect.flatMap(store, (kept) => withReach(reach)(kept.linked({ spaces: null, limit })))
const place = (reach: ReachShape, id: string) =>
  Effect.flatMap(store, (kept) => Effect.exit(withReach(reach)(kept.locate(id))))
const mark = (reach: ReachShape, id: string, messageId: string | null) =>
  Effect.flatMap(store, (kept) =>
    Effect.exit(withReach(reach)(kept.mark(id, messageId, anyEvent(id, "read"), aPassed)))
  )
const unread = (reach: ReachShape) =>
  Effect.map(list(reach), ({ items }) => Object.fromEntries(items.map(({ id, unread: count }) => [id, count])))

const addMessage = (reach: ReachShape, spaceId: string, threadId: string, authorId: string) =>
  Effect.map(
    addAnyRecord(reach, Message, spaceId, {
      threadId,
      role: "user",
      content: "Ahoy",
      authorId,
      sessionId: null,
      metadata: {}
    }),
    ({ id }) => id
  )

/** Creates a channel about an object, with one thread in which a colleague has written two messages. */
const aConversation = Effect.gen(function* () {
  const { personId, reach, spaceId } = yield* aMember()
  const colleagueId = yield* aPerson
  const colleague = aReach({ personId: colleagueId, spaces: [spaceId] })
  const about = { contextObjectId: uuidv7(), contextObjectType: "entity" }
  const channelFields = { title: "Quay", type: "chat", family: null, agentId: null, ...about }
  const { id: channel } = yield* addAnyRecord(reach, Channel, spaceId, channelFields)
  const { id: thread } = yield* addAnyRecord(reach, Thread, spaceId, {
    title: null,
    assignedAgentId: null,
    parentChannelId: channel,
    branchPurpose: null,
    contextSummary: null,
    status: null,
    contextObjectId: null,
    contextObjectType: null,
    externalSource: null,
    externalId: null
  })
  const first = yield* addMessage(colleague, spaceId, thread, colleagueId)
  const second = yield* addMessage(colleague, spaceId, thread, colleagueId)
  return { about, channel, colleague, colleagueId, first, personId, reach, second, spaceId, thread }
})

export const messagingStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a conversation that the caller may not read is not in the caller's inbox, and the caller cannot mark it as read",
    Effect.gen(function* () {
      const { channel, personId, reach, spaceId, thread } = yield* aConversation
      const other = yield* aWorkspaceOf(personId)
      const spaces = [spaceId, other]
      for (const blind of [
        aReach(),
        aReach({ personId, spaces, grant: { permissions: ["channel"] } }),
        aReach({ personId, spaces, grant: { permissions: ["messaging"] } }),
        aReach({ personId, spaces, grant: { workspaceIds: [other] } }),
        aReach({ personId, spaces, workspaceId: other })
      ]) {
        assert.deepStrictEqual((yield* list(blind)).items, [])
        assert.deepStrictEqual(yield* linked(blind), { linked: [], total: 0 })
        for (const id of [channel, thread, uuidv7()]) {
          assert.isTrue(Exit.isFailure(yield* place(blind, id)))
          assert.isTrue(Exit.isFailure(yield* mark(blind, id, null)))
        }
      }
      assert.deepStrictEqual(yield* unread(reach), { [channel]: 2, [thread]: 2 })
      assert.deepStrictEqual(yield* place(reach, thread), Exit.succeed(spaceId))
      assert.deepStrictEqual((yield* list(reach, { spaces: [other] })).items, [])
    })
  )

  rule(
    "a person's read position in a conversation is always one of its messages, and never moves to an earlier message",
    Effect.gen(function* () {
      const { channel, colleague, colleagueId, first, personId, reach, second, spaceId, thread } = yield* aConversation
      assert.isTrue(Exit.isFailure(yield* mark(reach, thread, uuidv7())))
      assert.deepStrictEqual(yield* mark(reach, thread, first), Exit.succeed(first))
      assert.deepStrictEqual(yield* unread(reach), { [channel]: 1, [thread]: 1 })
      assert.deepStrictEqual(yield* mark(reach, thread, null), Exit.succeed(second))
      const events = (yield* eventsIn(spaceId, personId)).length
      assert.deepStrictEqual(yield* mark(reach, thread, first), Exit.succeed(second))
      assert.lengthOf(yield* eventsIn(spaceId, personId), events)
      assert.deepStrictEqual(yield* unread(reach), { [channel]: 0, [thread]: 0 })
      const further = aReach({ personId: yield* aPerson, spaces: [spaceId] })
      assert.deepStrictEqual(yield* unread(further), { [channel]: 2, [thread]: 2 })
      // A person's own messages are never unread for this person.
      assert.deepStrictEqual(yield* unread(colleague), { [channel]: 0, [thread]: 0 })
      yield* addMessage(colleague, spaceId, thread, colleagueId)
      assert.deepStrictEqual(yield* unread(reach), { [channel]: 1, [thread]: 1 })
      assert.isTrue(Exit.isSuccess(yield* mark(reach, channel, null)))
      assert.deepStrictEqual(yield* unread(reach), { [channel]: 0, [thread]: 0 })
    })
  )

  rule(
    "a person's unread messages are the messages of all other authors after the person's read position",
    Effect.gen(function* () {
      const { channel, personId, reach, second, spaceId, thread } = yield* aConversation
      yield* mark(reach, thread, second)
      const others = [yield* aPerson, yield* aPerson, yield* aPerson]
      for (const author of [personId, others[0], personId, others[1], others[0], others[2], personId]) {
        yield* addMessage(aReach({ personId: author, spaces: [spaceId] }), spaceId, thread, author)
      }
      assert.deepStrictEqual(yield* unread(reach), { [channel]: 4, [thread]: 4 })
      yield* mark(reach, channel, null)
      assert.deepStrictEqual(yield* unread(reach), { [channel]: 0, [thread]: 0 })
    })
  )

  rule(
    "the inbox store lists each conversation that is about an object and has unread messages, and the total counts these messages",
    Effect.gen(function* () {
      const { about, channel, reach } = yield* aConversation
      const found = { linked: [{ channelId: channel, title: "Quay", ...about, unread: 2 }], total: 2 }
      assert.deepStrictEqual(yield* linked(reach), found)
      yield* mark(reach, channel, null)
      assert.deepStrictEqual(yield* linked(reach), { linked: [], total: 0 })
    })
  )

  rule(
    "the pages of an inbox show each conversation once, with the latest change first",
    Effect.gen(function* () {
      const { channel, reach, second, thread } = yield* aConversation
      const first = yield* list(reach, { limit: 1 })
      const rest = yield* list(reach, { limit: 1, cursor: first.next ?? undefined })
      const [newest, older] = [...first.items, ...rest.items]
      assert.deepStrictEqual([newest.id, newest.type, older.id, older.type], [thread, "thread", channel, "chat"])
      assert.isNull(rest.next)
      assert.isNotNull(older.lastMessageAt)
      assert.isTrue(Exit.isSuccess(yield* mark(reach, channel, second)))
      assert.deepStrictEqual((yield* list(reach, { limit: 1, offset: 1 })).items, [{ ...older, unread: 0 }])
    })
  )
}
