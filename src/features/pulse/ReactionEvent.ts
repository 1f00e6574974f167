/** An event of the pulse, with the reactions that it caused (compatibility reference §13.5). */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { Reaction } from "../events/Reaction.ts"

export const ReactionEvent = Schema.Struct({
  id: Id,
  type: Schema.String,
  timestamp: Timestamp,
  subject: described("What happened, in one line.", Schema.String),
  subjectId: described("Id of the object.", Schema.optional(Id)),
  subjectType: described("First word of the event type.", Schema.optional(Schema.String)),
  subjectName: described("Name of the object, if the caller may read it.", Schema.optional(Schema.String)),
  actor: described("Name of the person or agent that acted.", Schema.String),
  actorAI: described("Whether an agent or an AI service acted.", Schema.Boolean),
  correlationId: described("Id that all events of one request share.", Schema.optional(Id)),
  failed: described("Whether the event reports a failure.", Schema.optional(Schema.Boolean)),
  inbound: described("Whether the event came from outside the pod.", Schema.optional(Schema.Boolean)),
  pending: described("Whether the event waits for the decision of a person.", Schema.optional(Schema.Boolean)),
  proposalId: described("Id of the proposal that the event is about.", Schema.optional(Id)),
  reactions: described("Reactions to the event.", Schema.Array(Reaction))
}).annotations({ identifier: "ReactionEvent" })
export type ReactionEvent = typeof ReactionEvent.Type
