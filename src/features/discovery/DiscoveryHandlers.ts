/** The handler of discovery: it translates between the endpoint and the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { Discoveries } from "./Discoveries.ts"
import { DiscoveryApi } from "./DiscoveryApi.ts"

export const layer = implement(
  DiscoveryApi,
  Effect.map(Discoveries, ({ discover }) => ({ "discovery.discover": ({ urlParams }) => discover(urlParams) }))
)
