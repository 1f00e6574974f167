/**
 * The answer to a write that waits for the decision of a person. It is neither a failure nor the written record. Every
 * surface gives the same answer.
 */
import { Data, Schema } from "effect"
import { described } from "./Fields.ts"

/** The body of every answer to a write that became a proposal. Its status is 200. */
export const ProposedAnswer = Schema.Struct({
  status: Schema.Literal("proposed"),
  message: described("What happens next, as a sentence for people.", Schema.String),
  proposalId: described("The proposal: the write that waits for a person.", Schema.UUID),
  proposalType: described(
    "`<subject>.<action>`; `join` where an agent asks to be let into a workspace.",
    Schema.String
  ),
  summary: Schema.String,
  reasoning: described("The reason that the agent gave.", Schema.NullOr(Schema.String)),
  reviewPath: described("The path of the page where a person decides.", Schema.String),
  proposedId: described(
    "The id that the proposed record has or will have. Messages and events get their final id on approval.",
    Schema.UUID
  ),
  effectiveWorkspaceId: described(
    "Where it would be written; null: the person's own space.",
    Schema.NullOr(Schema.UUID)
  ),
  decisionId: described("The id of the decision, for `GET /auth/decisions/{id}`.", Schema.UUID),
  writeReceipt: described("How far the write has come.", Schema.Struct({ state: Schema.Literal("pending") }))
}).annotations({ identifier: "Proposed" })
export type ProposedAnswer = typeof ProposedAnswer.Type

/** Ends the handler of a write that became a proposal. Dispatch turns this value into the answer. */
export class Proposed extends Data.TaggedError("Proposed")<{ readonly answer: ProposedAnswer }> {}
