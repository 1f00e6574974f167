/** The Hub endpoint of discovery. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { DiscoveryPayload, DiscoveryQuery } from "./Discovery.ts"

export const DiscoveryApi = HttpApiGroup.make("discovery")
  .annotate(OpenApi.Description, "Entity kinds and roles, each with its properties and its number of entities.")
  .add(
    read("discovery.discover", {
      path: "/discover",
      query: DiscoveryQuery,
      success: DiscoveryPayload,
      door: fullGrantInSpaces("hub-protocol.read"),
      summary:
        "List the entity kinds and roles that the caller may use, each with its properties and its number of entities."
    })
  )
