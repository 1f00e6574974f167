/** Translates between the endpoint of health and the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { DependencyHealth } from "./DependencyHealth.ts"
import { HealthApi } from "./HealthApi.ts"

export const layer = implement(
  HealthApi,
  Effect.map(DependencyHealth, ({ report }) => ({
    "health.dependencies": ({ urlParams }) => report(urlParams.workspaceId)
  }))
)
