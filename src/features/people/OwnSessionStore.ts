/** The store of the sign-in sessions of the caller's person. The person can list and end these sessions. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { endSessions, sessionTable } from "../../platform/SignInMemory.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { type OwnSession, otherSessionsEndedEvent, sessionEndedEvent, sessionsShown } from "./OwnSession.ts"

export class OwnSessionStore extends Context.Tag("pod/OwnSessionStore")<
  OwnSessionStore,
  {
    /** The open sessions of the caller's person, the latest sign-in first. */
    readonly list: Effect.Effect<ReadonlyArray<OwnSession>, never, Reach>
    /** Ends one session of the caller's person. Returns false if the person has no such session. */
    readonly end: (sessionId: string, passed: Passed) => Effect.Effect<boolean, never, Reach>
    /**
     * Ends every session of the caller's person, except the session of this call. Returns the ids of the ended
     * sessions.
     */
    readonly endOthers: (
      reason: string | undefined,
      passed: Passed
    ) => Effect.Effect<ReadonlyArray<string>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { read, write } = yield* memoryStatements
      return {
        list: read(({ reach: { principal }, rows }) =>
          Effect.map(DateTime.now, (now) =>
            rows
              .all(sessionTable)
              .filter(({ expiresAt, userId }) => userId === principal.personId && expiresAt > DateTime.toDate(now))
              .toSorted(
                (one, other) =>
                  other.createdAt.getTime() - one.createdAt.getTime() || (one.sessionId < other.sessionId ? 1 : -1)
              )
              .slice(0, sessionsShown)
              .map((session) => ({
                id: session.sessionId,
                address: session.address,
                userAgent: session.userAgent,
                createdAt: DateTime.unsafeFromDate(session.createdAt),
                expiresAt: DateTime.unsafeFromDate(session.expiresAt),
                isCurrent: session.sessionId === principal.credential.id
              }))
          )
        ),
        end: (id, passed) =>
          write(({ append, reach: { principal }, rows }) => {
            const { personId } = principal
            const known = rows
              .all(sessionTable)
              .find(({ sessionId, userId }) => sessionId === id && userId === personId)
            if (known === undefined) return Effect.succeed(false)
            rows.remove(sessionTable, known.token)
            append(personId, sessionEndedEvent(id), passed)
            return Effect.succeed(true)
          }),
        endOthers: (reason, passed) =>
          write(({ append, reach: { principal }, rows }) => {
            const { credential, personId } = principal
            const ended = endSessions(rows, personId, credential.id)
            append(personId, otherSessionsEndedEvent(personId, reason), passed)
            return Effect.succeed(ended)
          })
      }
    })
  )
}
