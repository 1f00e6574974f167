/** The routes of the agent screens, and their search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"

export interface AgentsSearch {
  /** The id of the agent whose details are open; `new` for the form of a new agent. */
  readonly agent?: string
}

export const agentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/agents",
  validateSearch: (raw: Record<string, unknown>): AgentsSearch =>
    typeof raw["agent"] === "string" && raw["agent"] !== "" ? { agent: raw["agent"] } : {},
  component: lazyRouteComponent(() => import("./AgentsPage.tsx"), "AgentsPage")
})
