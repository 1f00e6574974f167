/** The MCP tools of focus sessions: an agent begins a piece of work, reports its progress, and ends it. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { writes } from "../../doors/Door.ts"
import { Id } from "../../doors/Id.ts"
import { updateDetails } from "../records/RecordType.ts"
import { FocusSessionChange, FocusSessionDraft, FocusSessionWire } from "./FocusSession.ts"

const reports = {
  contextReport: "What you found out before the work, in Markdown.",
  planReport: "What you plan to do, in Markdown.",
  executionLog: "What you did, in Markdown.",
  verificationReport: "How you checked the result, in Markdown."
}
const reasoning = "Why you make this write, for the person who might have to approve it."

const draft = FocusSessionDraft.fields
const { goal, progress, status } = FocusSessionChange.fields

/** A report in a tool call is a text, because a model writes text. In the Hub endpoints, a report can be any JSON. */
const Report = Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(20_000)))

const sessionDescription = "The id of the focus session."

export const FocusSessionTools = [
  tool("svc_start_session", {
    title: "Start a session",
    input: describeArguments(
      Schema.Struct({
        workspaceId: draft.workspaceId,
        correlationId: draft.correlationId,
        goal: draft.goal,
        expectedOutputs: draft.expectedOutputs,
        channelId: draft.channelId,
        agentIds: draft.agentIds,
        contextReport: Report,
        planReport: Report,
        reasoning: draft.reasoning
      }),
      {
        workspaceId: "The id of the workspace of the session. Default: the personal space.",
        correlationId: "Your own id for the work: a second call with the same text returns the same session.",
        goal: "The goal of your work, in one sentence.",
        expectedOutputs: "The outputs that the session should produce.",
        "expectedOutputs.kind": "The kind of the output, such as `document`.",
        "expectedOutputs.label": "The name of the output.",
        "expectedOutputs.icon": "The icon of the output.",
        channelId: "The id of the channel or thread in which you talk with the person, in the same space.",
        agentIds: "The ids of the agents of the person that take part in the session.",
        contextReport: reports.contextReport,
        planReport: reports.planReport,
        reasoning
      }
    ),
    success: FocusSessionWire,
    door: writes("mcp.write", "session", ["create"]),
    profiles: ["entry"],
    summary:
      "Begin a focus session, in which the person can follow your work. Send the id of the session as `sessionId` with later writes, report progress with `svc_update_session`, and end the session with `svc_complete_session`."
  }),
  tool("svc_update_session", {
    title: "Update a session",
    input: describeArguments(
      Schema.Struct({
        sessionId: Id,
        goal,
        status,
        progress,
        contextReport: Report,
        planReport: Report,
        executionLog: Report,
        verificationReport: Report,
        reasoning: updateDetails.reasoning
      }),
      {
        sessionId: sessionDescription,
        goal: "The new goal of the session.",
        status: "`active`, `paused` or `closed`; `svc_complete_session` closes the session with a report.",
        progress: { value: "The progress in percent, from 0 to 100.", null: "Removes the progress." },
        ...reports,
        reasoning
      }
    ),
    success: FocusSessionWire,
    door: writes("mcp.write", "session", ["update"]),
    profiles: ["entry"],
    summary:
      "Change a focus session: report your progress, plan and log, or change the goal. A new report replaces the earlier report in the same field."
  }),
  tool("svc_complete_session", {
    title: "Complete a session",
    input: describeArguments(
      Schema.Struct({
        sessionId: Id,
        executionLog: Report,
        verificationReport: Report,
        reasoning: updateDetails.reasoning
      }),
      {
        sessionId: sessionDescription,
        executionLog: reports.executionLog,
        verificationReport: reports.verificationReport,
        reasoning
      }
    ),
    success: FocusSessionWire,
    door: writes("mcp.write", "session", ["update"]),
    profiles: ["entry"],
    summary: "End a focus session: close it with a progress of 100 percent and your last reports."
  })
] as const
