/**
 * The handlers of the public feed. They pass each call of the endpoint or the procedure to the service and return its
 * result.
 */
import { Effect, Layer } from "effect"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { ProjectionApi } from "./ProjectionApi.ts"
import { ProjectionProcedures } from "./ProjectionRpc.ts"
import { Projections } from "./Projections.ts"

const rest = implement(
  ProjectionApi,
  Effect.map(Projections, ({ feed }) => ({ "projection.read": ({ urlParams }) => feed(urlParams) }))
)

const procedures = implementProcedures(
  ProjectionProcedures,
  Effect.map(Projections, ({ preview }) => ({ "projection.preview": preview }))
)

export const layer = Layer.mergeAll(rest, procedures)
