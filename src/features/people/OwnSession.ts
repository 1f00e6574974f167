/** A sign-in session of the caller's person, without the secret token of the session. */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

export const OwnSession = Schema.Struct({
  id: described("Id of the session. The id is not secret.", Id),
  address: described(
    "Address from which the person signed in; null if the address is not known.",
    Schema.NullOr(Schema.String)
  ),
  userAgent: described(
    "Name of the program, such as a browser, from the header `User-Agent`; null without this header.",
    Schema.NullOr(Schema.String)
  ),
  createdAt: described("When the person signed in.", Timestamp),
  expiresAt: described("When the session ends by itself.", Timestamp),
  isCurrent: described("Whether this session makes the call.", Schema.Boolean)
}).annotations({ identifier: "OwnSession" })
export type OwnSession = typeof OwnSession.Type

/**
 * The maximum number of sessions that a list contains, latest first. The operation that ends the other sessions also
 * ends sessions that are not in the list.
 */
export const sessionsShown = 100

export const sessionEndedEvent = (sessionId: string) => ({
  type: "person.endSession",
  subjectId: sessionId,
  data: {}
})

export const otherSessionsEndedEvent = (personId: string, reason: string | undefined) => ({
  type: "person.endOtherSessions",
  subjectId: personId,
  data: reason === undefined ? {} : { reason }
})
