/** The Hub endpoint of the health of dependencies. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { HealthQuery, HealthReport } from "./HealthReport.ts"

export const HealthApi = HttpApiGroup.make("health")
  .annotate(OpenApi.Description, "The health of the services that the pod depends on.")
  .add(
    read("health.dependencies", {
      path: "/health/dependencies",
      query: HealthQuery,
      success: HealthReport,
      door: fullGrant("hub-protocol.read"),
      summary: "Check the services that the pod depends on; the status is 200 even if a service is down."
    })
  )
