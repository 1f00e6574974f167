/** The Hub endpoint of the health of dependencies. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/DeclareRest.ts"
import { fullGrant } from "../../doors/Door.ts"
import { HealthQuery, HealthReport } from "./HealthReport.ts"

export const HealthApi = HttpApiGroup.make("health")
  .annotate(OpenApi.Description, "Health of the services that the pod depends on.")
  .add(
    read("health.dependencies", {
      path: "/health/dependencies",
      query: HealthQuery,
      success: HealthReport,
      door: fullGrant("hub-protocol.read"),
      withoutDatabase:
        "an operator needs the report when the database is down. Without a credential, the report says only which services answer",
      summary: "Check the services that the pod depends on; the status is 200 even if a service is down."
    })
  )
