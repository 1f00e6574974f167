/** The MCP tools of proposals. An agent lists, reads, revises and withdraws proposals, and no tool approves one. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { rows, writes } from "../../doors/Door.ts"
import { NotImplemented } from "../../doors/Failure.ts"
import { toolPage } from "../../doors/Page.ts"
import {
  Proposal,
  ProposalDetail,
  ProposalEdit,
  ProposalHandle,
  ProposalInput,
  ProposalPage,
  Rejection
} from "./Proposal.ts"

const named = Schema.Struct({ proposalId: ProposalHandle })
const nameDescription = { proposalId: "The id of the proposal, or at least its first four characters." }
const reading = rows("mcp.read", "proposal")
const deciding = writes("mcp.write", "proposal", ["update"])

export const ProposalTools = [
  tool("svc_list_proposals", {
    title: "List proposals",
    input: describeArguments(
      Schema.Struct({ ...ProposalInput.fields, detail: Schema.optional(Schema.Literal("summary", "full")) }),
      {
        userId: "Only proposals for this person, by id. You see only proposals of the person you work for.",
        workspaceId: "Only proposals of this workspace.",
        sessionId: "Only proposals of this focus session.",
        status: "Only proposals in this state.",
        view: "basic leaves the content of each proposal out.",
        limit: "How many to list at most.",
        offset: "How many to skip.",
        cursor: "The nextCursor of the previous page. Use either cursor or offset.",
        detail: "The older name of view; summary means basic."
      }
    ),
    success: toolPage(ProposalPage),
    door: reading,
    summary: "List proposed changes and their outcomes; a rejected one gives the reason."
  }),
  tool("svc_get_proposal", {
    title: "Get a proposal",
    input: describeArguments(named, nameDescription),
    success: ProposalDetail,
    door: reading,
    summary: "Read one proposal: its content, what it would change now, and the reason if it was rejected."
  }),
  tool("svc_revise_proposal", {
    title: "Revise a proposal",
    input: describeArguments(Schema.extend(named, ProposalEdit), {
      ...nameDescription,
      data: "The whole new content; it replaces what was proposed.",
      summary: "Only people may set it: for an agent the pod writes the summary.",
      expectedRevision: "The revision that you read. Fails if the proposal was edited since."
    }),
    success: Proposal,
    door: deciding,
    errors: [NotImplemented],
    summary: "Replace the content of a pending proposal of yours."
  }),
  tool("svc_withdraw_proposal", {
    title: "Withdraw a proposal",
    input: describeArguments(Schema.extend(named, Rejection), {
      ...nameDescription,
      reason: "Why you withdraw it, for the person who reads it.",
      reasonCode: "Why, in one word."
    }),
    success: Proposal,
    door: deciding,
    errors: [NotImplemented],
    summary: "Withdraw a pending proposal of yours."
  })
] as const
