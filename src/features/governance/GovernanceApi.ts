/**
 * The endpoints and procedures of governance. Members read policies and rules. People who are signed in change them.
 */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query } from "../../doors/DeclareProcedure.ts"
import { read } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, signedIn } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { GovernanceRule, WorkspacePolicy } from "../gate/Policy.ts"
import { GovernanceQuery, GovernanceView, PolicyChange, GovernanceRuleDraft } from "./GovernanceView.ts"
import { WorkspaceId } from "../../doors/Fields.ts"

export const GovernanceApi = HttpApiGroup.make("governance")
  .annotate(
    OpenApi.Description,
    "Governance: what agents may do alone, and which writes need the approval of a person."
  )
  .add(
    read("governance.get", {
      path: "/workspaces/:workspaceId/governance",
      params: Schema.Struct({ workspaceId: WorkspaceId }),
      query: GovernanceQuery,
      success: GovernanceView,
      errors: [NotFound],
      door: fullGrantInSpaces("hub-protocol.read"),
      summary:
        "Read the governance rules of a workspace. With `agentUserId`, `subjectType` and `action`, the answer also says what the pod would decide about such a write."
    })
  )

const door = signedIn

export const GovernanceProcedures = RpcGroup.make(
  mutation("governance.setPolicy", {
    input: Schema.extend(Schema.Struct({ workspaceId: WorkspaceId }), PolicyChange),
    success: WorkspacePolicy,
    door,
    summary: "Set what every agent in a workspace may do without approval. Only for owners and admins of the workspace."
  }),
  query("governanceRules.list", {
    input: Schema.Struct({ workspaceId: Schema.optional(WorkspaceId) }),
    success: Schema.Array(GovernanceRule),
    door,
    summary: "List the governance rules of a workspace. Without `workspaceId`, list those for your own agents."
  }),
  query("governanceRules.listAll", {
    input: NoInput,
    success: Schema.Array(GovernanceRule),
    door,
    summary: "List every governance rule that you can see."
  }),
  mutation("governanceRules.create", {
    about: "agentUserId",
    input: GovernanceRuleDraft,
    success: GovernanceRule,
    door,
    summary: "Create a governance rule. It says whether agents need the approval of a person for an action."
  }),
  mutation("governanceRules.revoke", {
    input: Schema.Struct({ ruleId: Id }),
    success: Schema.Struct({
      status: Schema.Literal("revoked"),
      ruleId: Id
    }),
    door,
    summary: "Revoke a governance rule."
  })
)
