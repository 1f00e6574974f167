/** What the Hub opens of discovery. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { DiscoveryPayload, DiscoveryQuery } from "./Discovery.ts"

export const DiscoveryApi = HttpApiGroup.make("discovery")
  .annotate(OpenApi.Description, "The kinds of entity there are, and how they are used.")
  .add(
    read("discovery.discover", {
      path: "/discover",
      query: DiscoveryQuery,
      success: DiscoveryPayload,
      door: fullGrant("hub-protocol.read"),
      summary: "List the kinds and roles that the caller may use, with their properties and numbers."
    })
  )
