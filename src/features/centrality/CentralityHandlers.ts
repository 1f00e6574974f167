/** The handlers of rankings: they translate between the endpoints and the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { Centralities } from "./Centralities.ts"
import { CentralityApi } from "./CentralityApi.ts"

export const layer = implement(
  CentralityApi,
  Effect.map(Centralities, ({ recompute, status }) => ({
    "centrality.status": () => status,
    "centrality.recompute": () => recompute
  }))
)
