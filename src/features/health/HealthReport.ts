/** The report on the services that the pod depends on. */
import { Schema } from "effect"
import { described, Timestamp, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

const Dependency = Schema.Struct({
  name: Schema.String,
  state: described(
    "`ok`, `down`, or `not_configured`: the pod runs without the service.",
    Schema.Literal("ok", "down", "not_configured")
  ),
  reachable: described("Whether the service answered.", Schema.Boolean),
  reason: described("Reason for the state, as a sentence for people.", Schema.NullOr(Schema.String)),
  endpoint: described("Address of the service; null if the address is private.", Schema.NullOr(Schema.String)),
  serviceId: described("Id of the registered service.", Schema.NullOr(Schema.String)),
  httpStatus: described("HTTP status in the answer of the service.", Schema.NullOr(Schema.Number)),
  latencyMs: described("Time until the answer, in milliseconds.", Schema.Number)
}).annotations({ identifier: "Dependency" })

export const HealthQuery = Schema.Struct({
  workspaceId: described(
    "Id of a workspace: check the services of this workspace. Default: the services of the pod.",
    Schema.optional(Id)
  )
})

export const HealthReport = Schema.Struct({
  status: described("`degraded` if a configured service does not answer.", Schema.Literal("ok", "degraded")),
  service: described("Name of this server.", Schema.Literal("hub-protocol")),
  checkedAt: Timestamp,
  resolution: described(
    "Workspace whose services were checked, or the pod.",
    Schema.Struct({
      workspaceId: Schema.NullOr(WorkspaceId),
      capability: described("Capability that the service provides.", Schema.String)
    })
  ),
  dependencies: described("Services that the pod depends on.", Schema.Array(Dependency))
}).annotations({ identifier: "HealthReport" })
export type HealthReport = typeof HealthReport.Type
