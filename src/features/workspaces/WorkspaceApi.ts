/**
 * The REST endpoints and procedures of workspaces and members. They read, create and change workspaces, and add, change
 * and remove members.
 */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { NoInput, query } from "../../doors/DeclareProcedure.ts"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, writes } from "../../doors/Door.ts"
import { example, WorkspaceId, described, JsonObject, JsonObjectInput } from "../../doors/Fields.ts"
import { NotFound } from "../../doors/Failure.ts"
import { EnrolmentResponse, Enrolment, reasoning } from "./Enrolment.ts"
import { ChangedMembership, EndedMembership, MembershipChange, MembershipPath } from "./Membership.ts"
import { AgentWorkspace, CreatedWorkspace, Workspace, WorkspaceDefinition, WorkspaceDetail } from "./Workspace.ts"
import { ProviderRouting, PublicProjection, PublicProjectionDraft, WorkspaceFields } from "./WorkspaceSettings.ts"

const door = fullGrantInSpaces("hub-protocol.read")
const createDoor = writes("hub-protocol.write", "workspace", ["create"])
const updateDoor = writes("hub-protocol.write", "workspace", ["update"])
const params = Schema.Struct({ workspaceId: WorkspaceId })

const Routing = Schema.Struct({
  ok: Schema.Literal(true),
  workspaceId: WorkspaceId,
  eveProviderRouting: described("Model providers of the workspace.", Schema.NullOr(ProviderRouting))
}).annotations({ identifier: "WorkspaceProviderRouting" })

const SourceEdges = Schema.Struct({
  ok: Schema.Literal(true),
  status: Schema.Literal("updated"),
  workspaceId: WorkspaceId,
  sourceRoles: described("Roles of each data source.", JsonObject),
  defaultSources: described("Default data source of each role.", JsonObject)
}).annotations({ identifier: "SourceEdges" })

const AppliedProjection = Schema.Struct({
  ok: Schema.Literal(true),
  workspaceId: WorkspaceId,
  ...PublicProjection.fields
}).annotations({ identifier: "AppliedProjection" })

const WorkspaceChange = example(
  Schema.Struct({
    name: Schema.optional(WorkspaceFields.fields.name),
    description: Schema.optional(WorkspaceFields.fields.description),
    searchLanguage: Schema.optional(WorkspaceFields.fields.searchLanguage),
    reasoning
  }).annotations({ identifier: "WorkspaceChange" }),
  { description: "What we look into." }
)

export const WorkspaceApi = HttpApiGroup.make("workspaces")
  .annotate(OpenApi.Description, "Workspaces: spaces that several people share. Each member has a membership role.")
  .add(
    read("workspaces.list", {
      path: "/workspaces",
      success: Schema.Struct({
        workspaces: Schema.Array(Workspace),
        podEntityCount: described("Number of entities in the personal space of the caller.", Schema.Number)
      }),
      door,
      summary: "List the workspaces of the caller, and the number of entities in the personal space."
    })
  )
  .add(
    read("workspaces.get", {
      path: "/workspaces/:workspaceId",
      params,
      success: WorkspaceDetail,
      door,
      errors: [NotFound],
      summary: "Read one workspace with its members and their membership roles."
    })
  )
  .add(
    write("workspaces.update", {
      method: "PATCH",
      path: "/workspaces/:workspaceId",
      params,
      payload: WorkspaceChange,
      success: WorkspaceDetail,
      door: updateDoor,
      summary: "Change the name, description or language of a workspace. Only for its owners and admins."
    })
  )
  .add(
    write("workspaces.fromDefinition", {
      method: "POST",
      path: "/workspaces/from-definition",
      payload: WorkspaceDefinition,
      success: CreatedWorkspace,
      door: createDoor,
      summary: "Create a workspace. Another call with the same `proposalId` returns the existing workspace."
    })
  )
  .add(
    write("workspaces.provisionAgent", {
      about: "agentUserId",
      method: "POST",
      path: "/workspaces/provision-agent",
      payload: AgentWorkspace,
      success: CreatedWorkspace,
      door: createDoor,
      summary:
        "Create a workspace for one of your agents; you own the workspace. Another call with the same `idempotencyKey` returns the same workspace."
    })
  )
  .add(
    write("workspaces.retryProvisioning", {
      method: "POST",
      path: "/workspaces/:workspaceId/retry-provisioning",
      params,
      success: WorkspaceDetail,
      door: updateDoor,
      summary: "Continue the creation of a workspace from the step that failed. Only for its owners and admins."
    })
  )
  .add(
    write("workspaces.enrollAgent", {
      about: "agentUserId",
      method: "POST",
      path: "/workspaces/enroll-agent",
      payload: Enrolment,
      success: EnrolmentResponse,
      door: writes("hub-protocol.write", "member", ["create"]),
      summary: "Add one of your agents to a workspace, or to all workspaces in which you may add members."
    })
  )
  .add(
    write("workspaces.changeMember", {
      about: "userId",
      method: "PATCH",
      path: "/workspaces/:workspaceId/members/:userId",
      params: MembershipPath,
      payload: MembershipChange,
      success: ChangedMembership,
      door: writes("hub-protocol.write", "member", ["update"], undefined, "membership"),
      summary:
        "Change the role of a member. Only for owners and admins of the workspace. Only an owner can make somebody an owner or change the role of an owner."
    })
  )
  .add(
    write("workspaces.removeMember", {
      about: "userId",
      method: "DELETE",
      path: "/workspaces/:workspaceId/members/:userId",
      params: MembershipPath,
      success: EndedMembership,
      door: writes("hub-protocol.write", "member", ["delete"], undefined, "membership"),
      summary:
        "Remove a member from a workspace, with the agents of that person. Everyone may remove themselves. The last owner cannot be removed."
    })
  )
  .add(
    read("workspaces.providerRouting", {
      path: "/workspaces/:workspaceId/eve-provider-routing",
      params,
      success: Routing,
      door,
      errors: [NotFound],
      summary: "Read which model providers a workspace uses."
    })
  )
  .add(
    write("workspaces.setProviderRouting", {
      method: "PATCH",
      path: "/workspaces/:workspaceId/eve-provider-routing",
      params,
      payload: example(Schema.Struct({ ...ProviderRouting.fields, reasoning }), {
        mode: "local",
        defaultProvider: "ollama",
        providers: [{ id: "ollama", enabled: true, baseUrl: "http://localhost:11434", defaultModel: "small" }]
      }),
      success: Routing,
      door: updateDoor,
      summary:
        "Replace the model providers of a workspace; providers that you leave out are removed. Do not send secrets."
    })
  )
  .add(
    write("workspaces.setSourceEdges", {
      method: "PATCH",
      path: "/workspaces/:workspaceId/source-edges",
      params,
      payload: example(
        Schema.Struct({
          sourceRoles: described("Roles of each data source.", Schema.optional(JsonObjectInput)),
          defaultSources: described("Default data source of each role.", Schema.optional(JsonObjectInput)),
          reasoning
        }),
        { sourceRoles: { inbox: "primary" } }
      ),
      success: SourceEdges,
      door: updateDoor,
      summary:
        "Set for which purposes (roles, such as `inbox`) a workspace uses each data source, and the default source of each role. Sources and roles that you leave out stay as they are."
    })
  )
  .add(
    write("workspaces.setPublicProjection", {
      method: "PATCH",
      path: "/workspaces/:workspaceId/public-projection",
      params,
      payload: example(Schema.Struct({ ...PublicProjectionDraft.fields, reasoning }), {
        enabled: true,
        roles: ["company"],
        fields: ["title", "website"]
      }),
      success: AppliedProjection,
      door: updateDoor,
      summary:
        "Set which roles and fields of a workspace are public. A key needs the right to read all entities and facets (roles) of the workspace."
    })
  )

export const WorkspaceProcedures = RpcGroup.make(
  query("workspaces.list", {
    input: NoInput,
    success: Schema.Array(Workspace),
    door,
    summary: "List the workspaces of the caller."
  })
)
