/** A write that waits for a person: not a failure, and not the write. Said alike on every surface. */
import { Data, Schema } from "effect"
import { described } from "./Fields.ts"

/** The body of every answer to a write that became a proposal. Its status is 200. */
export const ProposedAnswer = Schema.Struct({
  status: Schema.Literal("proposed"),
  message: described("What happens next, for people.", Schema.String),
  proposalId: described("The proposal: the write that waits for a person.", Schema.UUID),
  proposalType: described(
    "`<subject>.<action>`; `join` where an agent asks to be let into a workspace.",
    Schema.String
  ),
  summary: Schema.String,
  reasoning: described("Why, as the agent said it.", Schema.NullOr(Schema.String)),
  reviewPath: described("Where a person decides on it.", Schema.String),
  proposedId: described(
    "The id that what was proposed has, or will have; messages and events get theirs when they are said and happen.",
    Schema.UUID
  ),
  effectiveWorkspaceId: Schema.NullOr(Schema.UUID),
  decisionId: Schema.UUID,
  writeReceipt: described("How far the write has come.", Schema.Struct({ state: Schema.Literal("pending") }))
}).annotations({ identifier: "Proposed" })
export type ProposedAnswer = typeof ProposedAnswer.Type

/** Ends the handler of a write that was put before a person. Dispatch makes it the answer. */
export class Proposed extends Data.TaggedError("Proposed")<{ readonly answer: ProposedAnswer }> {}
