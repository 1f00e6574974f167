/**
 * The answer to a write that waits for the decision of a person. It is not a failure, and it does not contain a written
 * record. It is the same over REST, tRPC and MCP.
 */
import { Data, Schema } from "effect"
import { described } from "./Fields.ts"
import { Id } from "./Id.ts"

/** The fields of each answer about a new proposal. */
export const NewProposal = Schema.Struct({
  message: Schema.String,
  proposalId: Id,
  proposalType: described(
    "Kind of the change, `<subject>.<action>`; `join` when an agent asks to join a workspace.",
    Schema.String
  ),
  summary: described("What the write would do. Names only records that the caller may read.", Schema.String),
  reasoning: described("Reason for the write, as the agent gave it.", Schema.NullOr(Schema.String)),
  reviewPath: Schema.String,
  reviewUrl: described("URL of the page where a person reviews the proposal.", Schema.String),
  proposedId: described("Id of the proposed record. Messages and events get another id on approval.", Id),
  effectiveWorkspaceId: described("Workspace that the write is for; null means the personal space.", Schema.NullOr(Id)),
  decisionId: described("Id of the decision; `GET /auth/decisions/{id}` explains it.", Id),
  writeReceipt: described(
    "State of the write.",
    Schema.Struct({ state: described("Always `pending`: a person must decide first.", Schema.Literal("pending")) })
  )
}).annotations({ identifier: "NewProposal" })

/** The body of every answer to a write that became a proposal. Its status is 200. */
export const ProposedAnswer = Schema.Struct({
  status: Schema.Literal("proposed"),
  ...NewProposal.fields,
  proposedEntityId: described("Same as `proposedId`; only for entities.", Schema.optional(Id)),
  artifact: described(
    "Always null, because a proposed artifact does not exist yet. Only operations on artifacts have this field.",
    Schema.optional(Schema.Null)
  ),
  workspaceId: described("Id of the workspace, if the write changes a workspace.", Schema.optional(Id))
}).annotations({ identifier: "Proposed" })
export type ProposedAnswer = typeof ProposedAnswer.Type

/** Ends the handler of a write that became a proposal. Dispatch turns this value into the answer. */
export class Proposed extends Data.TaggedError("Proposed")<{ readonly answer: ProposedAnswer }> {}
