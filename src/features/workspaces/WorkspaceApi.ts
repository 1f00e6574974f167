/** What the Hub and the bridge open of workspaces. */
import { HttpApiGroup } from "@effect/platform"
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { NoInput, query, read, write } from "../../doors/Declare.ts"
import { Workspace, WorkspaceDefinition, WorkspaceDetail } from "./Workspace.ts"

const door = { scope: "hub-protocol.read", fullGrant: true } as const

export const WorkspaceApi = HttpApiGroup.make("workspaces")
  .add(
    read("workspaces.list", {
      path: "/workspaces",
      success: Schema.Struct({ workspaces: Schema.Array(Workspace), podEntityCount: Schema.Number }),
      door,
      summary: "List the caller's workspaces, and count the entities of their own space."
    })
  )
  .add(
    read("workspaces.get", {
      path: "/workspaces/:workspaceId",
      params: Schema.Struct({ workspaceId: Schema.UUID }),
      success: WorkspaceDetail,
      door,
      summary: "Read one workspace with its members and their roles."
    })
  )
  .add(
    write("workspaces.fromDefinition", {
      method: "POST",
      path: "/workspaces/from-definition",
      payload: WorkspaceDefinition,
      success: Schema.Struct({ workspaceId: Schema.UUID, created: Schema.Boolean }),
      door: { scope: "hub-protocol.write", write: "workspace", actions: ["create"] },
      summary: "Make a workspace; the same proposalId answers the one it made before."
    })
  )

export const WorkspaceProcedures = RpcGroup.make(
  query("workspaces.list", {
    input: NoInput,
    success: Schema.Array(Workspace),
    door,
    summary: "List the caller's workspaces."
  })
)
