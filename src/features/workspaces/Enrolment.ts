/** Letting an agent into workspaces: what is asked, and what came of it. */
import { Schema } from "effect"
import { example, AgentId, PersonId, WorkspaceId, described, namingAgent } from "../../doors/Fields.ts"

/** An agent owns no workspace: its person does. */
export const AgentRole = Schema.Literal("viewer", "editor", "admin").annotations({ identifier: "AgentRole" })
export type AgentRole = typeof AgentRole.Type

export const Enrolment = example(
  namingAgent("agentUserId", {
    agentUserId: AgentId,
    workspaceId: described("Left out: every workspace the caller reads.", Schema.optional(Schema.UUID)),
    role: described(
      "What the member may do there.",
      Schema.optionalWith(AgentRole, { default: () => "editor" as const })
    )
  }).annotations({ identifier: "Enrolment" }),
  { agentUserId: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f", role: "editor" }
)
export type Enrolment = typeof Enrolment.Type

export const Enrolled = Schema.Struct({
  enrolled: described(
    "Workspaces that the agent is in now; a role it had there already is as it was.",
    Schema.Array(Schema.UUID)
  ),
  skipped: described("Those in which the caller may let nobody in.", Schema.Array(Schema.UUID))
}).annotations({ identifier: "Enrolled" })
export type Enrolled = typeof Enrolled.Type

/** A membership as a change names it. */
export const MemberContent = Schema.Struct({
  userId: PersonId,
  workspaceId: WorkspaceId,
  role: described("What the member may do there.", AgentRole)
})
export type MemberContent = typeof MemberContent.Type
