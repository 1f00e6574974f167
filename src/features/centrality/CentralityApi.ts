/** What the Hub opens of rankings. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { CentralityStatus, CentralityTrigger } from "./Centrality.ts"

const door = fullGrant("hub-protocol.read")

export const CentralityApi = HttpApiGroup.make("centrality")
  .annotate(OpenApi.Description, "The most connected entities among those that the caller may read.")
  .add(
    read("centrality.status", {
      path: "/centrality/status",
      success: CentralityStatus,
      door,
      summary: "Read the most central entities, and when the pod computed the ranking."
    })
  )
  .add(
    // It changes nothing that anybody wrote: what it keeps is derived from what the caller reads.
    read("centrality.recompute", {
      method: "POST",
      path: "/centrality/recompute",
      success: CentralityTrigger,
      door,
      summary: "Compute the ranking of the entities anew, at most once a minute."
    })
  )
