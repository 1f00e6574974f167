/** The routes of the agent screens, and their search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { textIn } from "../../ui/searchValues.ts"

export interface AgentsSearch {
  /** The id of the agent whose details are open. `new` if the form for a new agent is open. */
  readonly agent?: string | undefined
  /** The name of the shown tab of the details. Undefined for the first tab. */
  readonly tab?: string | undefined
  /** The search text. The list shows only rows that contain it. */
  readonly q?: string | undefined
  /** The column by which the list is sorted, with `-` in front for the reverse order. */
  readonly sort?: string | undefined
}

export const agentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/agents",
  validateSearch: (raw: Record<string, unknown>): AgentsSearch => ({
    agent: textIn(raw["agent"]),
    tab: textIn(raw["tab"]),
    q: textIn(raw["q"]),
    sort: textIn(raw["sort"])
  }),
  component: lazyRouteComponent(() => import("./AgentsPage.tsx"), "AgentsPage")
})
