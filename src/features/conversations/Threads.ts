/**
 * The service of threads. It begins and reads threads, lists their branches, and finds a thread by its id in another
 * system.
 */
import { Context, Effect, Layer } from "effect"
import { spaceOf } from "../../doors/OwnSpace.ts"
import { Conflict, type Forbidden, invalid, type Invalid, type NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { People } from "../people/People.ts"
import type { WriteDetails } from "../gate/Changers.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordChange, RecordOperations, WriteFailure } from "../records/RecordOperations.ts"
import { type Listing, Records } from "../records/Records.ts"
import type { Common, OwnFields, RecordType } from "../records/RecordType.ts"
import { Channel } from "./Channel.ts"
import { findOrCreate, type FoundOrCreated } from "./FindOrCreate.ts"
import { Message } from "./Message.ts"
import { Thread } from "./Thread.ts"

/** The fields that a caller can set only when the thread is created. */
const fixedFields = ["parentChannelId", "externalSource", "externalId"] as const

export type PageQuery = Pick<Listing<Thread>, "limit" | "offset" | "cursor">

const threadExists = new Conflict({
  code: "THREAD_EXISTS",
  why: "A thread with this `externalSource` and `externalId` already exists in that space. Use that thread."
})

const hasMessages = new Conflict({
  code: "REVERT_CONFLICT",
  why: "The pod cannot revert the creation of this thread, because it already has messages."
})

export class Threads extends Context.Tag("pod/Threads")<
  Threads,
  {
    readonly list: RecordOperations<Thread>["list"]
    readonly get: RecordOperations<Thread>["get"]
    /** Begins a thread, or returns the existing thread of the space with the same `externalSource` and `externalId`. */
    readonly begin: (
      draft: { readonly workspaceId?: string | null | undefined; readonly fields: OwnFields<Thread> } & WriteDetails
    ) => Effect.Effect<FoundOrCreated<Thread>, WriteFailure, Reach>
    /**
     * Finds the thread in the caller's own space that has this id in another system. Returns undefined if there is no
     * such thread that the caller can read.
     */
    readonly findByExternalId: (
      key: Pick<OwnFields<Thread>, "externalSource" | "externalId">
    ) => Effect.Effect<Thread | undefined, never, Reach>
    readonly change: RecordOperations<Thread>["update"]
    /** Lists the threads whose parent is this thread. Fails with NotFound if the caller cannot read the parent. */
    readonly branches: (threadId: string, page: PageQuery) => Effect.Effect<Page<Thread>, NotFound, Reach>
    /** Returns true if the space `spaceId` has a channel or thread with this id that the caller can read. */
    readonly isConversation: (id: string, spaceId: string) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const people = yield* People
      const transaction = yield* Transaction

      const standsIn = <A extends Common>(type: RecordType<A>, id: string, spaceId: string) =>
        records.get(type, id).pipe(
          Effect.map((record) => spaceOf(record) === spaceId),
          Effect.catchTag("RecordNotFound", () => Effect.succeed(false))
        )
      const isConversation = (id: string, spaceId: string) =>
        Effect.if(standsIn(Channel, id, spaceId), {
          onTrue: () => Effect.succeed(true),
          onFalse: () => standsIn(Thread, id, spaceId)
        })

      const known = Effect.fnUntraced(function* (
        { externalId, externalSource }: Partial<OwnFields<Thread>>,
        spaceId: string
      ) {
        if (externalId == null || externalSource == null) return undefined
        const where = { externalSource, externalId }
        const { items } = yield* records.list(Thread, { where, spaces: [spaceId], limit: 1 })
        return items[0]
      })

      const check = (
        fields: Partial<OwnFields<Thread>>,
        { action, moment, object, targetId }: RecordChange
      ): Effect.Effect<void, Invalid | Conflict | Forbidden, Reach> =>
        Effect.gen(function* () {
          const { assignedAgentId, externalId, externalSource, parentChannelId } = fields
          if (assignedAgentId != null) yield* people.ownAgent(assignedAgentId)
          const changed = action === "update" ? fixedFields.find((name) => fields[name] !== undefined) : undefined
          if (changed !== undefined) return yield* invalid(changed, "can only be set when a thread is created")
          if (moment === "reverted" && action === "delete") {
            const ofThread = { where: { threadId: targetId }, spaces: [object.spaceId], limit: 1 }
            if ((yield* records.list(Message, ofThread)).items.length > 0) return yield* hasMessages
          }
          if (action !== "create") return
          const hasSource = externalSource != null
          if (hasSource !== (externalId != null)) {
            return yield* invalid(
              hasSource ? "externalId" : "externalSource",
              "must be sent together: send `externalSource` and `externalId`, or neither"
            )
          }
          if (parentChannelId != null && !(yield* isConversation(parentChannelId, object.spaceId))) {
            return yield* invalid("parentChannelId", "This space has no channel or thread with that id.")
          }
          if ((yield* known(fields, object.spaceId)) !== undefined) return yield* threadExists
        })

      const threads = yield* governedRecords(Thread, { check })

      return {
        list: threads.list,
        get: threads.get,
        change: threads.update,
        findByExternalId: (key) => Effect.flatMap(Reach, ({ principal }) => known(key, principal.personId)),
        isConversation,

        begin: Effect.fnUntraced(function* (draft) {
          const { principal } = yield* Reach
          const creation = threads.create(draft)
          if (draft.fields.externalId === null) return { record: yield* creation, isFound: false }
          return yield* findOrCreate(
            transaction,
            known(draft.fields, draft.workspaceId ?? principal.personId),
            creation,
            threadExists
          )
        }),

        branches: (threadId, page) =>
          Effect.flatMap(threads.get(threadId), (thread) =>
            records.list(Thread, { ...page, where: { parentChannelId: threadId }, spaces: [spaceOf(thread)] })
          )
      }
    })
  )
}
