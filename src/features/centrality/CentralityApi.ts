/** The Hub endpoints of rankings. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/DeclareRest.ts"
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
      summary: "Read the most connected entities, and when the pod computed their ranking."
    })
  )
  .add(
    // This operation is declared as a read, because it changes no data of users. It stores only scores that the pod
    // computes from what the caller may read.
    read("centrality.recompute", {
      method: "POST",
      path: "/centrality/recompute",
      success: CentralityTrigger,
      door,
      summary: "Compute the ranking of the most connected entities again; at most once a minute."
    })
  )
