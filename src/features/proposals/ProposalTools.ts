/**
 * The MCP tools of proposals. With them, an agent lists, reads, revises and withdraws proposals. No tool approves a
 * proposal.
 */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { rows, writes } from "../../doors/Door.ts"
import { Conflict, NotFound, NotImplemented } from "../../doors/Failure.ts"
import { toolPage } from "../../doors/Page.ts"
import { Proposal, ProposalDetail, ProposalEdit, ProposalHandle, Rejection } from "./Proposal.ts"
import { ProposalPage, ProposalToolInput } from "./ProposalListing.ts"

const proposalIdInput = Schema.Struct({ proposalId: ProposalHandle })
const nameDescription = { proposalId: "The id of the proposal, or at least its first four characters." }
const readDoor = rows("mcp.read", "proposal")
const decideDoor = writes("mcp.write", "proposal", ["update"])

export const ProposalTools = [
  tool("svc_list_proposals", {
    title: "List proposals",
    input: describeArguments(ProposalToolInput, {
      userId: "Ignored: the list has the proposals for the person that you act for.",
      workspaceId: "The id of a workspace: only its proposals are listed.",
      sessionId: "The id of a focus session: only its proposals are listed.",
      status: "The state of the wanted proposals.",
      view: "`basic` leaves out the content of each proposal.",
      limit: "The largest number of proposals to list.",
      offset: "The number of proposals to skip.",
      cursor: "The `nextCursor` of the previous page. Send either `cursor` or `offset`.",
      detail: "An older name of `view`; its value `summary` means `basic`."
    }),
    success: toolPage(ProposalPage),
    door: readDoor,
    profiles: ["builder"],
    summary: "List proposed changes and their outcomes; a rejected proposal has the reason."
  }),
  tool("svc_get_proposal", {
    title: "Get a proposal",
    input: describeArguments(proposalIdInput, nameDescription),
    success: ProposalDetail,
    door: readDoor,
    errors: [Conflict, NotFound],
    profiles: ["builder"],
    summary: "Read one proposal: its content, its differences to the current record, and the reason if it was rejected."
  }),
  tool("svc_revise_proposal", {
    title: "Revise a proposal",
    input: describeArguments(Schema.extend(proposalIdInput, ProposalEdit), {
      ...nameDescription,
      data: "The whole new content, which replaces the whole old content.",
      summary:
        "A new summary of the proposal. Only a person may send a summary; for an agent the pod writes the summary.",
      expectedRevision: "The revision that you read; the call fails if somebody has edited the proposal since."
    }),
    success: Proposal,
    door: decideDoor,
    errors: [NotImplemented],
    profiles: ["builder"],
    summary: "Replace the content of a pending proposal of yours."
  }),
  tool("svc_withdraw_proposal", {
    title: "Withdraw a proposal",
    input: describeArguments(Schema.extend(proposalIdInput, Rejection), {
      ...nameDescription,
      reason: "Why you withdraw the proposal, for the person who reads the proposal.",
      reasonCode: "Code of the reason, for programs."
    }),
    success: Proposal,
    door: decideDoor,
    errors: [NotImplemented],
    profiles: ["builder"],
    summary: "Withdraw a pending proposal of yours."
  })
] as const
