/** The Hub endpoint for the digest of a workspace. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { digestFields } from "./Digest.ts"
import { WorkspaceId } from "../../doors/Fields.ts"

const WorkspaceDigest = Schema.Struct({
  workspaceId: WorkspaceId,
  name: Schema.String,
  ...digestFields
}).annotations({ identifier: "WorkspaceDigest" })

export const WorkspaceDigestApi = HttpApiGroup.make("digest")
  .annotate(OpenApi.Description, "A digest of a workspace: numbers of entities and a one-line summary.")
  .add(
    read("workspaces.digest", {
      path: "/workspaces/:workspaceId/digest",
      params: Schema.Struct({ workspaceId: WorkspaceId }),
      success: WorkspaceDigest,
      errors: [NotFound],
      door: fullGrantInSpaces("hub-protocol.read"),
      summary: "Read a digest of a workspace: numbers of entities, the latest entities and a one-line summary."
    })
  )
