/** The endpoint with which the owner of the pod removes the sample workspaces. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { personal } from "../../doors/DeclareRest.ts"
import { signedIn } from "../../doors/Door.ts"
import { Unavailable } from "../../doors/Failure.ts"

export const SampleApi = HttpApiGroup.make("samples")
  .annotate(OpenApi.Description, "The sample data of a pod, for its owner.")
  .add(
    personal("samples.remove", {
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
      door: signedIn,
      errors: [Unavailable],
      summary: "Remove the sample workspaces with everything in them. Only for the owner of the pod."
    })
  )
