/** The handler of federation: it translates between the endpoint and the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { FederationApi } from "./FederationApi.ts"
import { Federations } from "./Federations.ts"

export const layer = implement(
  FederationApi,
  Effect.map(Federations, ({ accept }) => ({
    "federation.oidcConfig": ({ payload }) => Effect.as(accept(payload.assertion), { ok: true as const })
  }))
)
