/**
 * Explains a decision to the caller who made the request. The caller must use the same credential as for that request,
 * or a sign-in session of the person.
 */
import { Effect } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { implement } from "../../doors/Implement.ts"
import { Reach } from "../../doors/Reach.ts"
import { EventLog } from "../events/EventLog.ts"
import { explain } from "./Decision.ts"
import { DecisionApi } from "./DecisionApi.ts"

// The failure if there is no such decision. The failure is the same if the decision is about a request of another
// person.
const decisionMissing = missingRecord("decision about a request of yours")

export const layer = implement(
  DecisionApi,
  Effect.map(EventLog, (log) => ({
    "decisions.get": Effect.fnUntraced(function* ({ path: { id } }) {
      const { principal } = yield* Reach
      const { credentialId, event } = yield* Effect.catchTag(log.decided(id), "EventNotFound", () =>
        Effect.fail(decisionMissing)
      )
      // The pod itself writes the event of a refusal, so this event has no credential. Instead, the data of the event
      // names the refused credential.
      const asker = credentialId ?? event.data["credentialId"]
      const isAsker = principal.credential.kind === "session" || asker === principal.credential.id
      return (isAsker ? explain(principal, event) : null) ?? (yield* decisionMissing)
    })
  }))
)
