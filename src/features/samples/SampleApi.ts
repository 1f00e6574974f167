/** The endpoint with which the operator removes the sample workspaces. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { operated } from "../../doors/DeclareRest.ts"
import { operator } from "../../doors/Door.ts"
import { Unavailable } from "../../doors/Failure.ts"
import { described } from "../../doors/Fields.ts"

export const SampleApi = HttpApiGroup.make("samples")
  .annotate(OpenApi.Description, "The sample data of a pod, for its operator.")
  .add(
    operated("samples.remove", {
      method: "POST",
      path: "/setup/sample-removal",
      success: Schema.Struct({
        removed: described("Number of removed sample workspaces.", Schema.Int),
        kept: described("Number of sample workspaces that stay because they belong to other people.", Schema.Int)
      }),
      door: operator("remove the sample", "pod seed remove"),
      errors: [Unavailable],
      summary: "Remove the sample workspaces with everything in them. Only for the operator of the pod."
    })
  )
