/** The endpoint with which the operator removes the sample workspaces. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { operated } from "../../doors/DeclareRest.ts"
import { operator } from "../../doors/Door.ts"
import { Unavailable } from "../../doors/Failure.ts"

export const SampleApi = HttpApiGroup.make("samples")
  .annotate(OpenApi.Description, "The sample data of a pod, for its operator.")
  .add(
    operated("samples.remove", {
      method: "POST",
      path: "/setup/sample-removal",
      success: Schema.Struct({
        /** The number of sample workspaces that were removed with everything in them. */
        removed: Schema.Int,
        /**
         * The number of sample workspaces that stay, because they belong to other people and the owner of the pod may
         * not delete them.
         */
        kept: Schema.Int
      }),
      door: operator("remove the sample", "pod seed remove"),
      errors: [Unavailable],
      summary: "Remove the sample workspaces with everything in them. Only for the operator of the pod."
    })
  )
