/** The request to add an agent to workspaces, and the answer. */
import { Schema } from "effect"
import {
  example,
  AgentId,
  PersonId,
  WorkspaceId,
  described,
  namingAgent,
  optionalOrNull,
  Reasoning
} from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

/** The roles that an agent can have. The role of the owner is not among them, because only people own workspaces. */
export const AgentRole = Schema.Literal("viewer", "editor", "admin").annotations({ identifier: "AgentRole" })
export type AgentRole = typeof AgentRole.Type

export const reasoning = optionalOrNull(Reasoning)

export const Enrolment = example(
  namingAgent("agentUserId", {
    agentUserId: AgentId,
    workspaceId: described(
      "Id of the workspace. Default: every workspace in which the caller may add members.",
      Schema.optional(Id)
    ),
    role: described(
      "Membership role of the agent in the workspace.",
      Schema.optionalWith(AgentRole, { default: () => "editor" as const })
    ),
    reasoning
  }).annotations({ identifier: "Enrolment" }),
  { agentUserId: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f", role: "editor" }
)
export type Enrolment = typeof Enrolment.Type

export const EnrolmentResponse = Schema.Struct({
  enrolled: described(
    "Workspaces where the agent is a member now. A membership that existed before keeps its role.",
    Schema.Array(Id)
  ),
  skipped: described("Workspaces where the caller may not add members.", Schema.Array(Id))
}).annotations({ identifier: "Enrolled" })
export type EnrolmentResponse = typeof EnrolmentResponse.Type

/** The content of a change to a membership. */
export const MemberContent = Schema.Struct({
  userId: PersonId,
  workspaceId: WorkspaceId,
  role: described("Membership role of the agent in the workspace.", AgentRole)
})
export type MemberContent = typeof MemberContent.Type
