/** The MCP tool with which an agent waits for a person. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { rows } from "../../doors/Door.ts"
import { described } from "../../doors/Fields.ts"
import { Conflict, NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { MessageWire } from "../conversations/Message.ts"
import { ProposalHandle, Status } from "../proposals/Proposal.ts"

/**
 * The maximum time of a wait, in seconds. Many clients end a call after a minute, so the limit is shorter than a
 * minute.
 */
const secondsMax = 50

export const WaitInput = Schema.Struct({
  threadId: Schema.optional(Id),
  afterMessageId: Schema.optional(Id),
  proposalId: Schema.optional(ProposalHandle),
  timeoutSeconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(0, secondsMax)), { default: () => 25 })
})
export type WaitInput = typeof WaitInput.Type

export const WaitAnswer = Schema.Struct({
  answered: described("False if the time ended before an answer came; then call again.", Schema.Boolean),
  messages: described("New messages of others in the thread, oldest first.", Schema.Array(MessageWire)),
  proposal: described(
    "The proposal, if the request has `proposalId`.",
    Schema.optionalWith(
      Schema.Struct({
        id: Id,
        status: Status,
        reason: described(
          "Why a person rejected the proposal, or why the pod could not carry it out.",
          Schema.NullOr(Schema.String)
        )
      }),
      { exact: true }
    )
  )
})
export type WaitAnswer = typeof WaitAnswer.Type

export const WaitTools = [
  tool("svc_wait_for_answer", {
    title: "Wait for an answer",
    input: describeArguments(WaitInput, {
      threadId: "The id of the thread in which you wait for a message of somebody else.",
      afterMessageId: "The id of the message after which you wait. Default: your last message in the thread.",
      proposalId: "The id of a proposal whose decision you wait for. Send `threadId`, `proposalId` or both.",
      timeoutSeconds: "How many seconds to wait at most; 0 means that the call returns at once."
    }),
    success: WaitAnswer,
    door: rows("mcp.read", "channel"),
    errors: [Conflict, NotFound],
    profiles: ["entry"],
    summary:
      "Wait until somebody else writes in a thread or a person decides a proposal. The call ends at once when that happens. If `answered` is false, the time ended before an answer came: go on with other work, or call again."
  })
] as const
