/** The handler of the public feed: it translates between the endpoint and the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { ProjectionApi } from "./ProjectionApi.ts"
import { Projections } from "./Projections.ts"

export const layer = implement(
  ProjectionApi,
  Effect.map(Projections, ({ feed }) => ({ "projection.read": ({ urlParams }) => feed(urlParams) }))
)
