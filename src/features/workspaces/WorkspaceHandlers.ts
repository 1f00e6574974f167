/** Translates between what the surfaces open of workspaces and the service. */
import { Effect, Layer } from "effect"
import { NotFound } from "../../doors/Failure.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { WorkspaceApi, WorkspaceProcedures } from "./WorkspaceApi.ts"
import { Workspaces } from "./Workspaces.ts"

const rest = implement(
  WorkspaceApi,
  Effect.map(Workspaces, (workspaces) => ({
    "workspaces.list": () => workspaces.list,
    "workspaces.get": ({ path }) =>
      Effect.catchTags(workspaces.get(path.workspaceId), {
        WorkspaceNotFound: () => Effect.fail(new NotFound({ why: "There is no such workspace." }))
      }),
    "workspaces.fromDefinition": ({ payload }) => workspaces.fromDefinition(payload)
  }))
)

const procedures = implementProcedures(
  WorkspaceProcedures,
  Effect.map(Workspaces, (workspaces) => ({
    "workspaces.list": () => Effect.map(workspaces.list, (listing) => listing.workspaces)
  }))
)

export const layer = Layer.mergeAll(rest, procedures)
