/** The endpoint with which the owner of the pod removes the sample workspaces. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { sessionOnly } from "../../doors/DeclareRest.ts"
import { signedIn } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { described, example } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

export const SampleApi = HttpApiGroup.make("samples")
  .annotate(OpenApi.Description, "Sample data, which the pod's owner can remove.")
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
  .add(
    sessionOnly("samples.deliver", {
      method: "POST",
      path: "/setup/sample-delivery",
      payload: example(
        Schema.Struct({
          webhookId: described("Your webhook with an address in `.example` and no deliveries.", Id),
          eventId: described("Your event in your own sample workspace.", Id)
        }),
        { webhookId: "0199c9a0-1f3e-7c55-8a44-5b7a3c1d2e90", eventId: "0199c9a0-2b10-7d01-9c3f-64e0a7b8c912" }
      ),
      success: Schema.Struct({ deliveryId: described("Id of the delivery.", Id) }),
      errors: [NotFound],
      door: signedIn,
      summary: "Make a delivery of the sample data: two calls of a webhook that failed, and one that succeeded."
    })
  )
