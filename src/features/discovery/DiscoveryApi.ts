/** The Hub endpoint of discovery. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { DiscoveryPayload, DiscoveryQuery } from "./Discovery.ts"

export const DiscoveryApi = HttpApiGroup.make("discovery")
  .annotate(OpenApi.Description, "The entity kinds that exist, and how entities use them.")
  .add(
    read("discovery.discover", {
      path: "/discover",
      query: DiscoveryQuery,
      success: DiscoveryPayload,
      door: fullGrantInSpaces("hub-protocol.read"),
      summary: "List the entity kinds and roles that the caller may use, with their properties and numbers of entities."
    })
  )
