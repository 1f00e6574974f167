/** The route of the screen of access roles, and its search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"

export interface RolesSearch {
  /** The id of the role whose details are open; `new` for the form of a new role. */
  readonly role?: string
}

export const rolesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/roles",
  validateSearch: (raw: Record<string, unknown>): RolesSearch =>
    typeof raw["role"] === "string" && raw["role"] !== "" ? { role: raw["role"] } : {},
  component: lazyRouteComponent(() => import("./RolesPage.tsx"), "RolesPage")
})
