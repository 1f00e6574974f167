/** The digest of a workspace, as the Hub opens it. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { digestFields } from "./Digest.ts"
import { WorkspaceId } from "../../doors/Fields.ts"

const WorkspaceDigest = Schema.Struct({
  workspaceId: WorkspaceId,
  name: Schema.String,
  ...digestFields
}).annotations({ identifier: "WorkspaceDigest" })

export const WorkspaceDigestApi = HttpApiGroup.make("digest")
  .annotate(OpenApi.Description, "What a workspace holds, in figures and one line.")
  .add(
    read("workspaces.digest", {
      path: "/workspaces/:workspaceId/digest",
      params: Schema.Struct({ workspaceId: WorkspaceId }),
      success: WorkspaceDigest,
      errors: [NotFound],
      door: fullGrant("hub-protocol.read"),
      summary: "Read what a workspace holds in figures, its latest entities and one line."
    })
  )
