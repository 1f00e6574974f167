/** A sign-in of the caller's person, without its token. */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

export const OwnSession = Schema.Struct({
  id: described("Id of the session. The id is not secret.", Id),
  address: described("Address from which the person signed in; null if it is not known.", Schema.NullOr(Schema.String)),
  userAgent: described(
    "The name that the program sent in User-Agent, such as a browser; null if it sent none.",
    Schema.NullOr(Schema.String)
  ),
  createdAt: described("When the person signed in.", Timestamp),
  expiresAt: described("When the session ends by itself.", Timestamp),
  isCurrent: described("Whether this session makes the call.", Schema.Boolean)
}).annotations({ identifier: "OwnSession" })
export type OwnSession = typeof OwnSession.Type

/** A person with more open sessions sees the latest ones; ending the others ends all. */
export const sessionsShown = 100

/** The event of ending one session. */
export const sessionEndedEvent = (sessionId: string) => ({
  type: "person.endSession",
  subjectId: sessionId,
  data: {}
})

/** The event of ending all sessions but the one that asks. */
export const otherSessionsEndedEvent = (personId: string, reason: string | undefined) => ({
  type: "person.endOtherSessions",
  subjectId: personId,
  data: reason === undefined ? {} : { reason }
})
