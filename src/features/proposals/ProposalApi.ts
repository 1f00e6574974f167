/**
 * The REST endpoints of proposals. A caller sees the proposals about records that the caller may read. Only people can
 * approve and revert.
 */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { rows, writes } from "../../doors/Door.ts"
import { Conflict, NotFound, NotImplemented } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { DevApprovalDraft } from "./DevApprovals.ts"
import {
  FiledProposal,
  Approval,
  Proposal,
  ProposalDetail,
  ProposalDraft,
  ProposalEdit,
  ProposalHandle,
  Rejection
} from "./Proposal.ts"
import { ProposalPage, ProposalQuery } from "./ProposalListing.ts"
import { described } from "../../doors/Fields.ts"

const params = Schema.Struct({ id: ProposalHandle })
const readDoor = rows("hub-protocol.read", "proposal")
// For these operations, the pod first checks only the scope and the grant of the caller. The service then checks
// whether the caller made the proposal or is allowed to decide on it.
const decideDoor = writes("hub-protocol.write", "proposal", ["update"])

const decideDeclaration = {
  success: Schema.Literal(true),
  proposalId: Id,
  proposal: described("Proposal after the call.", Proposal)
}
const DecidedProposal = Schema.Struct(decideDeclaration).annotations({ identifier: "DecidedProposal" })
const ApprovedProposal = Schema.Struct({
  ...decideDeclaration,
  primaryId: described("Id of the main record that the approval wrote.", Id)
}).annotations({ identifier: "ApprovedProposal" })

export const ProposalApi = HttpApiGroup.make("proposals")
  .annotate(OpenApi.Description, "Proposals: changes that a person approves or rejects.")
  .add(
    read("proposals.list", {
      path: "/proposals",
      query: ProposalQuery,
      success: pagedStruct(ProposalPage),
      door: readDoor,
      summary:
        "List proposals about records that the caller may read, latest first; only pending proposals unless you set `status`."
    })
  )
  .add(
    read("proposals.get", {
      path: "/proposals/:id",
      params,
      success: ProposalDetail,
      errors: [Conflict, NotFound],
      door: readDoor,
      summary:
        "Read one proposal, by its id or the first characters of the id, with all differences from the current record."
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
      summary: "Propose a change as an agent; a person approves or rejects the proposal."
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
      summary: "As an agent, ask a person to approve an action outside the pod. The pod does not carry out the action."
    })
  )
  .add(
    write("proposals.edit", {
      method: "PATCH",
      path: "/proposals/:id",
      params,
      payload: ProposalEdit,
      success: Proposal,
      door: decideDoor,
      errors: [NotImplemented],
      summary:
        "Replace the content of a pending proposal. If a person edits the proposal, changes that others made to the record before this edit are no longer conflicts."
    })
  )
  .add(
    write("proposals.approve", {
      method: "POST",
      path: "/proposals/:id/approve",
      params,
      payload: Approval,
      success: ApprovedProposal,
      door: decideDoor,
      errors: [NotImplemented],
      summary:
        "Approve a proposal with the content that you saw. The pod applies this content once, in one transaction. Only people can approve."
    })
  )
  .add(
    write("proposals.reject", {
      method: "POST",
      path: "/proposals/:id/reject",
      params,
      payload: Rejection,
      success: DecidedProposal,
      door: decideDoor,
      errors: [NotImplemented],
      summary:
        "Reject a proposal with a reason that its agent can read. An agent can withdraw its own proposal with this call."
    })
  )
  .add(
    write("proposals.revert", {
      method: "POST",
      path: "/proposals/:id/revert",
      params,
      success: Schema.Struct({
        success: Schema.Literal(true),
        proposalId: Id,
        reverted: described(
          "Ids of the reverted records.",
          Schema.Struct({
            entityIds: Schema.optional(Schema.Array(Id)),
            relationIds: Schema.optional(Schema.Array(Id)),
            documentIds: Schema.optional(Schema.Array(Id)),
            recordIds: described(
              "Ids of the reverted records except entities, relations and documents.",
              Schema.optional(Schema.Array(Id))
            )
          })
        )
      }),
      door: decideDoor,
      errors: [NotImplemented],
      summary:
        "Revert an approved proposal. If fields that the proposal wrote have changed since, the pod reverts nothing and names the fields. Only people can revert."
    })
  )
