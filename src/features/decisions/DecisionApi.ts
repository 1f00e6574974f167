/** The Hub endpoint of decisions. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/DeclareRest.ts"
import { self } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath } from "../../doors/Fields.ts"
import { Explanation } from "./Decision.ts"

export const DecisionApi = HttpApiGroup.make("decisions")
  .annotate(OpenApi.Description, "Decisions: why the pod carried out or refused a request, or made it a proposal.")
  .add(
    read("decisions.get", {
      path: "/auth/decisions/:id",
      params: idPath,
      success: Explanation,
      errors: [NotFound],
      door: self("hub-protocol.read"),
      summary:
        "Read why the pod carried out or refused your request, or stored a proposal instead, and which grant would have allowed the request."
    })
  )
