/** The procedures with which a person lists and ends the person's own sign-in sessions. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query } from "../../doors/DeclareProcedure.ts"
import { signedIn } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { described } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { OwnSession } from "./OwnSession.ts"

export const OwnSessionProcedures = RpcGroup.make(
  query("sessions.list", {
    input: NoInput,
    success: Schema.Array(OwnSession),
    door: signedIn,
    summary: "List your open sign-in sessions, the latest first."
  }),
  mutation("sessions.end", {
    input: Schema.Struct({
      sessionId: described("Id of the session to end.", Id)
    }),
    success: Schema.Struct({ success: Schema.Literal(true) }),
    door: signedIn,
    errors: [NotFound],
    summary: "End one of your sign-in sessions. Its running calls stop at once."
  }),
  mutation("sessions.endOthers", {
    input: Schema.Struct({
      reason: described(
        "Why you end the sessions, as a sentence for people. The pod stores the reason in the event of this call.",
        Schema.optional(Schema.String.pipe(Schema.maxLength(500)))
      )
    }),
    success: Schema.Struct({ endedSessions: described("Number of the ended sessions.", Schema.Int) }),
    door: signedIn,
    summary: "End all your sign-in sessions except the one that makes this call. Your keys stay valid."
  })
)
