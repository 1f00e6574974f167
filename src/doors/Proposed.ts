/** A write that waits for a person: not a failure, and not the write. Said alike on every surface. */
import { Data, Schema } from "effect"

/** The body of every answer to a write that became a proposal. Its status is 200. */
export const ProposedAnswer = Schema.Struct({
  status: Schema.Literal("proposed"),
  message: Schema.String,
  proposalId: Schema.UUID,
  /** `<subject>.<action>`; `join` where an agent asks to be let into a workspace. */
  proposalType: Schema.String,
  summary: Schema.String,
  reasoning: Schema.NullOr(Schema.String),
  reviewPath: Schema.String,
  /** The id that what was proposed has, or will have; messages and events get theirs when they are said and happen. */
  proposedId: Schema.UUID,
  effectiveWorkspaceId: Schema.NullOr(Schema.UUID),
  decisionId: Schema.UUID,
  writeReceipt: Schema.Struct({ state: Schema.Literal("pending") })
}).annotations({ identifier: "Proposed" })
export type ProposedAnswer = typeof ProposedAnswer.Type

/** Ends the handler of a write that was put before a person. Dispatch makes it the answer. */
export class Proposed extends Data.TaggedError("Proposed")<{ readonly answer: ProposedAnswer }> {}
