/** The endpoint with which the owner of the pod removes the sample workspaces. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { personal } from "../../doors/DeclareRest.ts"
import { signedIn } from "../../doors/Door.ts"
import { Unavailable } from "../../doors/Failure.ts"
import { described } from "../../doors/Fields.ts"

export const SampleApi = HttpApiGroup.make("samples")
  .annotate(OpenApi.Description, "The sample data of a pod, for its owner.")
  .add(
    personal("samples.remove", {
      method: "POST",
      path: "/setup/sample-removal",
      success: Schema.Struct({
        removed: described("Number of removed sample workspaces.", Schema.Int),
        kept: described("Number of sample workspaces that stay because they belong to other people.", Schema.Int)
      }),
      door: signedIn,
      errors: [Unavailable],
      summary: "Remove the sample workspaces with everything in them. Only for the owner of the pod."
    })
  )
