/** The handler of the health of dependencies: it translates between the endpoint and the service. */
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
