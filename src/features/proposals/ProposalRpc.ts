/** The procedures of proposals: list, read, edit, approve, reject and revert them. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, query } from "../../doors/DeclareProcedure.ts"
import { rows, writes } from "../../doors/Door.ts"
import { Conflict, NotFound, NotImplemented } from "../../doors/Failure.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { Approval, Proposal, ProposalDetail, ProposalEdit, ProposalHandle, Rejection } from "./Proposal.ts"
import { ProposalInput, ProposalPage } from "./ProposalListing.ts"

const readDoor = rows("hub-protocol.read", "proposal")
const decideDoor = writes("hub-protocol.write", "proposal", ["update"])
const proposalIdInput = Schema.Struct({
  proposalId: ProposalHandle
})
const about = <F extends Schema.Struct.Fields>(struct: Schema.Struct<F>) => Schema.extend(proposalIdInput, struct)

const listDeclaration = { input: ProposalInput, success: pagedStruct(ProposalPage), door: readDoor }
const summary = "List proposals about records that the caller may read, latest first."

export const ProposalProcedures = RpcGroup.make(
  query("proposals.listProposals", { ...listDeclaration, summary }),
  query("proposals.list", { ...listDeclaration, summary: `${summary} This call does the same as \`listProposals\`.` }),
  query("proposals.get", {
    input: proposalIdInput,
    success: ProposalDetail,
    door: readDoor,
    errors: [Conflict, NotFound],
    summary: "Read one proposal with every difference to the current record."
  }),
  mutation("proposals.updateProposal", {
    input: about(ProposalEdit),
    success: Proposal,
    door: decideDoor,
    errors: [NotImplemented],
    summary: "Replace the content of a pending proposal."
  }),
  mutation("proposals.approve", {
    input: about(Approval),
    success: Proposal,
    door: decideDoor,
    errors: [NotImplemented],
    summary: "Approve a proposal with the content that you saw. Only people can approve."
  }),
  mutation("proposals.reject", {
    input: about(Rejection),
    success: Proposal,
    door: decideDoor,
    errors: [NotImplemented],
    summary: "Reject a proposal with a reason, or withdraw your own proposal."
  }),
  mutation("proposals.revert", {
    input: proposalIdInput,
    success: Proposal,
    door: decideDoor,
    errors: [NotImplemented],
    summary:
      "Revert an approved proposal. If fields that the proposal wrote have changed since, the pod reverts nothing. Only people can revert."
  })
)
