/** The Hub endpoint of decisions. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/Declare.ts"
import { self } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath } from "../../doors/Fields.ts"
import { Explanation } from "./Decision.ts"

export const DecisionApi = HttpApiGroup.make("decisions")
  .annotate(OpenApi.Description, "Why a request was carried out, refused, or became a proposal for a person.")
  .add(
    read("decisions.get", {
      path: "/auth/decisions/:id",
      params: idPath,
      success: Explanation,
      errors: [NotFound],
      door: self("hub-protocol.read"),
      summary:
        "Read why your request was carried out, refused, or became a proposal, and which grant would have passed."
    })
  )
