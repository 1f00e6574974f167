/** What the Hub opens of health. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { HealthQuery, HealthReport } from "./HealthReport.ts"

export const HealthApi = HttpApiGroup.make("health")
  .annotate(OpenApi.Description, "Whether what the pod depends on answers.")
  .add(
    read("health.dependencies", {
      path: "/health/dependencies",
      query: HealthQuery,
      success: HealthReport,
      door: fullGrant("hub-protocol.read"),
      summary: "Ask what the pod depends on; 200 also where something is down."
    })
  )
