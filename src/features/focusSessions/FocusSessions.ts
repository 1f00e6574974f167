/**
 * The service of focus sessions. It keeps one session for each correlation id, sets the time of closing, and shows a
 * session only to the person who owns it.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { spaceOf } from "../../doors/OwnSpace.ts"
import { Conflict, type Forbidden, invalid, type Invalid } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { findOrCreate, type FoundOrCreated } from "../conversations/FindOrCreate.ts"
import { Threads } from "../conversations/Threads.ts"
import type { Change } from "../gate/Write.ts"
import { People } from "../people/People.ts"
import type { WriteDetails } from "../gate/Changers.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordOperations, WriteFailure } from "../records/RecordOperations.ts"
import { Records } from "../records/Records.ts"
import type { OwnFields, Patch } from "../records/RecordType.ts"
import { FocusSession } from "./FocusSession.ts"

type Fields = OwnFields<FocusSession>

const sessionExists = new Conflict({
  code: "SESSION_EXISTS",
  why: "You already have a focus session with this `correlationId` in that space. Use that session, or send another `correlationId`."
})

export class FocusSessions extends Context.Tag("pod/FocusSessions")<
  FocusSessions,
  {
    /** The sessions of the caller's person, latest start first. */
    readonly list: RecordOperations<FocusSession>["list"]
    readonly get: RecordOperations<FocusSession>["get"]
    /** Begins a session, or returns the person's existing session with this correlation id in the space. */
    readonly begin: (
      draft: {
        readonly workspaceId?: string | null | undefined
        readonly fields: Omit<Fields, "closedAt">
      } & WriteDetails
    ) => Effect.Effect<FoundOrCreated<FocusSession>, WriteFailure, Reach>
    /**
     * Changes a session. When the caller closes the session, the pod sets the time of closing. When the caller reopens
     * the session, the pod removes this time.
     */
    readonly change: (
      id: string,
      fields: Omit<Patch<FocusSession>, "closedAt">,
      details: WriteDetails
    ) => Effect.Effect<FocusSession, WriteFailure, Reach>
    /**
     * Returns true if the session belongs to the caller's person, is in the given space (if a space is given), and can
     * be read with the credential. For a key without `session.read`, the answer is always false.
     */
    readonly isOwn: (sessionId: string, spaceId?: string) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const people = yield* People
      const threads = yield* Threads
      const transaction = yield* Transaction

      const known = Effect.fnUntraced(function* (correlationId: string | null | undefined, spaceId: string) {
        if (correlationId == null) return undefined
        const listing = { where: { correlationId }, spaces: [spaceId], limit: 1 }
        const { items } = yield* records.list(FocusSession, listing)
        return items[0]
      })

      const check = (
        fields: Partial<Fields>,
        { action, object }: Pick<Change, "action" | "object">
      ): Effect.Effect<void, Invalid | Conflict | Forbidden, Reach> =>
        Effect.gen(function* () {
          if (action === "delete") return
          const { agentIds = [], channelId, closedAt, correlationId, status } = fields
          // A proposal can have any fields. Without this check, the `closedAt` and the status in a proposal could
          // contradict each other.
          if ((status === "closed") !== (closedAt != null) || (status === undefined && closedAt !== undefined)) {
            return yield* invalid(
              "closedAt",
              "is required if `status` is `closed`, and not allowed with another status"
            )
          }
          if (action === "update" && correlationId !== undefined) {
            return yield* invalid("correlationId", "can only be set when a session is created")
          }
          yield* people.checkOwnAgents(agentIds)
          if (channelId != null && !(yield* threads.isConversation(channelId, object.spaceId))) {
            return yield* invalid("channelId", "This space has no channel or thread with that id.")
          }
          if (action === "create" && (yield* known(correlationId, object.spaceId)) !== undefined)
            return yield* sessionExists
        })

      const sessions = yield* governedRecords(FocusSession, { check })

      return {
        list: sessions.list,
        get: sessions.get,

        begin: Effect.fnUntraced(function* ({ fields, ...draft }) {
          const { principal } = yield* Reach
          const closedAt = fields.status === "closed" ? yield* DateTime.now : null
          const creation = sessions.create({ ...draft, fields: { ...fields, closedAt } })
          if (fields.correlationId === null) return { record: yield* creation, isFound: false }
          const found = known(fields.correlationId, draft.workspaceId ?? principal.personId)
          return yield* findOrCreate(transaction, found, creation, sessionExists)
        }),

        change: Effect.fnUntraced(function* (id, fields, details) {
          if (fields.status === undefined) return yield* sessions.update(id, fields, details)
          const placed = yield* Effect.option(records.locate(FocusSession, id, "update"))
          const closedBefore = placed._tag === "Some" ? placed.value.record.closedAt : null
          const closedAt = fields.status === "closed" ? (closedBefore ?? (yield* DateTime.now)) : null
          return yield* sessions.update(id, { ...fields, closedAt }, details)
        }),

        isOwn: (sessionId, spaceId) =>
          records.get(FocusSession, sessionId).pipe(
            Effect.map((session) => spaceId === undefined || spaceOf(session) === spaceId),
            Effect.catchTag("RecordNotFound", () => Effect.succeed(false))
          )
      }
    })
  )
}
