/** Workspaces: reading them, and making one from a definition. */
import { Context, Effect, Layer } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { isLimited } from "../grants/Grant.ts"
import { namesCaller } from "../people/Identity.ts"
import type { WorkspaceDefinition, WorkspaceDetail, WorkspaceNotFound } from "./Workspace.ts"
import { spaceNamed } from "./WorkspaceAccess.ts"
import { type WorkspaceListing, WorkspaceStore } from "./WorkspaceStore.ts"

export class Workspaces extends Context.Tag("pod/Workspaces")<
  Workspaces,
  {
    readonly list: Effect.Effect<WorkspaceListing, never, Reach>
    /** Fails with Forbidden for a workspace outside the caller's, whether or not it exists. */
    readonly get: (id: string) => Effect.Effect<WorkspaceDetail, Forbidden | WorkspaceNotFound, Reach>
    /** The same `proposalId` again answers the workspace it made, with `created: false`. */
    readonly fromDefinition: (
      definition: WorkspaceDefinition
    ) => Effect.Effect<{ readonly workspaceId: string; readonly created: boolean }, Forbidden, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(WorkspaceStore, (store) => ({
      list: store.list,
      get: (id) => Effect.zipRight(spaceNamed(id), store.get(id)),
      fromDefinition: Effect.fn("Workspaces.fromDefinition")(function* (definition) {
        const { principal } = yield* Reach
        const { proposalId, workspaceName, templateId, templateName, workspaceType, ownerUserId, ...rest } = definition
        yield* namesCaller(ownerUserId)
        // A workspace is made outside every workspace, project and object: a limited key cannot reach there, and an
        // agent without that capability only reads.
        if (isLimited(principal) || principal.holder.kind === "agent") {
          return yield* new Forbidden({
            code: "GRANT_DENIED",
            why: "Making a workspace needs a person, or a key of theirs without limits.",
            required: ["workspace.create"],
            granted: principal.grant?.permissions ?? ["*"]
          })
        }
        return yield* store.add({
          id: uuidv7(),
          name: workspaceName ?? templateName ?? "Workspace",
          workspaceType: workspaceType ?? null,
          templateId: templateId ?? null,
          proposalId: proposalId ?? null,
          definition: rest
        })
      })
    }))
  )
}
