/** What the Hub opens of proposals. Reads are filtered by what the caller may read; only people approve and revert. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/Declare.ts"
import { rows, writes } from "../../doors/Door.ts"
import { Conflict, NotFound, NotImplemented } from "../../doors/Failure.ts"
import { continuing } from "../../doors/Page.ts"
import { DevApprovalDraft } from "./DevApprovals.ts"
import {
  FiledProposal,
  Approval,
  Proposal,
  ProposalDetail,
  ProposalDraft,
  ProposalEdit,
  ProposalHandle,
  ProposalPage,
  ProposalQuery,
  Rejection
} from "./Proposal.ts"
import { described } from "../../doors/Fields.ts"

const params = Schema.Struct({ id: ProposalHandle })
const reading = rows("hub-protocol.read", "proposal")
// Passing is not deciding: the service asks whether the caller made it, or could do what it asks.
const deciding = writes("hub-protocol.write", "proposal", ["update"])

export const ProposalApi = HttpApiGroup.make("proposals")
  .annotate(OpenApi.Description, "Changes that wait for a person, and what became of them.")
  .add(
    read("proposals.list", {
      path: "/proposals",
      query: ProposalQuery,
      success: continuing(ProposalPage),
      door: reading,
      summary: "List proposals about what the caller may read, latest first; pending ones unless status says otherwise."
    })
  )
  .add(
    read("proposals.get", {
      path: "/proposals/:id",
      params,
      success: ProposalDetail,
      errors: [Conflict, NotFound],
      door: reading,
      summary: "Read one proposal, by its id or the beginning of one, with every difference it would make."
    })
  )
  .add(
    write("proposals.file", {
      method: "POST",
      path: "/proposals",
      payload: ProposalDraft,
      success: FiledProposal,
      door: writes("hub-protocol.write", "proposal", ["create"]),
      errors: [NotImplemented],
      summary: "Propose a change as an agent, for a person to approve."
    })
  )
  .add(
    write("proposals.askToAct", {
      method: "POST",
      path: "/proposals/dev-approval",
      payload: DevApprovalDraft,
      success: FiledProposal,
      door: writes("hub-protocol.write", "proposal", ["create"]),
      errors: [NotImplemented],
      summary:
        "Ask as an agent whether to do something outside the pod; a person says yes or no, and the pod does nothing."
    })
  )
  .add(
    write("proposals.edit", {
      method: "PATCH",
      path: "/proposals/:id",
      params,
      payload: ProposalEdit,
      success: Proposal,
      door: deciding,
      errors: [NotImplemented],
      summary: "Replace the content of a pending proposal; it then rests on the record as it stands."
    })
  )
  .add(
    write("proposals.approve", {
      method: "POST",
      path: "/proposals/:id/approve",
      params,
      payload: Approval,
      success: Schema.Struct({
        success: Schema.Literal(true),
        proposalId: described("The proposal: the write that waits for a person.", Schema.UUID),
        proposal: described("The proposal as it stands.", Proposal),
        primaryId: described("The main thing that was written.", Schema.UUID)
      }),
      door: deciding,
      errors: [NotImplemented],
      summary: "Approve what you saw; it is applied once, in one step with its events. People only."
    })
  )
  .add(
    write("proposals.reject", {
      method: "POST",
      path: "/proposals/:id/reject",
      params,
      payload: Rejection,
      success: Schema.Struct({
        success: Schema.Literal(true),
        proposalId: described("The proposal: the write that waits for a person.", Schema.UUID),
        proposal: described("The proposal as it stands.", Proposal)
      }),
      door: deciding,
      errors: [NotImplemented],
      summary: "Reject a proposal with a reason its agent can read; the agent itself withdraws it."
    })
  )
  .add(
    write("proposals.revert", {
      method: "POST",
      path: "/proposals/:id/revert",
      params,
      success: Schema.Struct({
        success: Schema.Literal(true),
        proposalId: described("The proposal: the write that waits for a person.", Schema.UUID),
        reverted: described(
          "What was taken back.",
          Schema.Struct({
            entityIds: described("These entities and no others.", Schema.optional(Schema.Array(Schema.UUID))),
            relationIds: described("Relations that were written.", Schema.optional(Schema.Array(Schema.UUID))),
            documentIds: described("Documents that were written.", Schema.optional(Schema.Array(Schema.UUID))),
            recordIds: described("Records that were written.", Schema.optional(Schema.Array(Schema.UUID)))
          })
        )
      }),
      door: deciding,
      errors: [NotImplemented],
      summary: "Take an approved proposal back exactly, or say what somebody changed since. People only."
    })
  )
