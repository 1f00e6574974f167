/** The MCP tools of proposals: an agent looks, revises and withdraws. None approves. */
import { Schema } from "effect"
import { tool } from "../../doors/Declare.ts"
import { rows, writes } from "../../doors/Door.ts"
import { NotImplemented } from "../../doors/Failure.ts"
import { continuing } from "../../doors/Page.ts"
import {
  Proposal,
  ProposalDetail,
  ProposalEdit,
  ProposalHandle,
  ProposalInput,
  ProposalPage,
  Rejection
} from "./Proposal.ts"
import { described } from "../../doors/Fields.ts"

const named = Schema.Struct({
  proposalId: described("The proposal: the write that waits for a person.", ProposalHandle)
})
const reading = rows("mcp.read", "proposal")
const deciding = writes("mcp.write", "proposal", ["update"])

export const ProposalTools = [
  tool("svc_list_proposals", {
    title: "List proposals",
    input: Schema.Struct({
      ...ProposalInput.fields,
      detail: described(
        "The older word for `view`: `summary` is `basic`.",
        Schema.optional(Schema.Literal("summary", "full"))
      )
    }),
    success: continuing(ProposalPage),
    door: reading,
    summary: "List proposed changes and what became of them; a rejected one says why."
  }),
  tool("svc_get_proposal", {
    title: "Get a proposal",
    input: named,
    success: ProposalDetail,
    door: reading,
    summary: "Read one proposal: its content, what it would change now, and the reason if it was rejected."
  }),
  tool("svc_revise_proposal", {
    title: "Revise a proposal",
    input: Schema.extend(named, ProposalEdit),
    success: Proposal,
    door: deciding,
    errors: [NotImplemented],
    summary: "Replace the content of a pending proposal of yours."
  }),
  tool("svc_withdraw_proposal", {
    title: "Withdraw a proposal",
    input: Schema.extend(named, Rejection),
    success: Proposal,
    door: deciding,
    errors: [NotImplemented],
    summary: "Withdraw a pending proposal of yours."
  })
] as const
