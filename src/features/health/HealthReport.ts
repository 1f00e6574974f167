/** What health tells of the dependencies of the pod. */
import { Schema } from "effect"
import { described, Timestamp, WorkspaceId } from "../../doors/Fields.ts"

const Dependency = Schema.Struct({
  name: Schema.String,
  state: described(
    "ok, down, or not configured: the pod runs without it.",
    Schema.Literal("ok", "down", "not_configured")
  ),
  reachable: described("Whether it answered.", Schema.Boolean),
  reason: described("Why it is so, for people.", Schema.NullOr(Schema.String)),
  endpoint: described("Where it is; null where that is private.", Schema.NullOr(Schema.String)),
  serviceId: described("The registered service that it is.", Schema.NullOr(Schema.String)),
  httpStatus: described("What it answered over HTTP.", Schema.NullOr(Schema.Number)),
  latencyMs: described("How long the answer took, in milliseconds.", Schema.Number)
}).annotations({ identifier: "Dependency" })

export const HealthQuery = Schema.Struct({
  workspaceId: described("Resolve as this workspace would; left out: as the pod does.", Schema.optional(Schema.UUID))
})

export const HealthReport = Schema.Struct({
  status: described("Degraded where something configured does not answer.", Schema.Literal("ok", "degraded")),
  service: described("What this is.", Schema.Literal("hub-protocol")),
  checkedAt: described("When they were asked.", Timestamp),
  resolution: described(
    "For whom the dependencies were resolved.",
    Schema.Struct({
      workspaceId: Schema.NullOr(WorkspaceId),
      capability: described("What was asked for.", Schema.String)
    })
  ),
  dependencies: described("What the pod depends on.", Schema.Array(Dependency))
}).annotations({ identifier: "HealthReport" })
export type HealthReport = typeof HealthReport.Type
