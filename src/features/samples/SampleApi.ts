/** The endpoint with which the owner of the pod removes the sample workspaces. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { sessionOnly } from "../../doors/DeclareRest.ts"
import { signedIn } from "../../doors/Door.ts"
import { described } from "../../doors/Fields.ts"

export const SampleApi = HttpApiGroup.make("samples")
  .annotate(OpenApi.Description, "Sample workspaces, which the pod's owner can remove.")
  .add(
    sessionOnly("samples.remove", {
      method: "POST",
      path: "/setup/sample-removal",
      success: Schema.Struct({
        removed: described("1 if the call removed a sample workspace, 0 if you have none.", Schema.Literal(0, 1)),
        kept: described(
          "Number of sample workspaces that other people own and that you can read. The call does not remove them.",
          Schema.Int
        )
      }),
      door: signedIn,
      summary: "Remove your oldest sample workspace with everything in it. Only for the pod's owner."
    })
  )
