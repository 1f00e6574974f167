/** The addresses of these screens, and what their search parameters may say. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"

export interface AgentsSearch {
  /** Id of the agent that is open; `new` for one that is being made. */
  readonly agent?: string
}

export const agentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/agents",
  validateSearch: (raw: Record<string, unknown>): AgentsSearch =>
    typeof raw["agent"] === "string" && raw["agent"] !== "" ? { agent: raw["agent"] } : {},
  component: lazyRouteComponent(() => import("./AgentsPage.tsx"), "AgentsPage")
})
