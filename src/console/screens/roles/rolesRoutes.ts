/** The addresses of these screens, and what their search parameters may say. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"

export interface RolesSearch {
  /** Id of the role that is open; `new` for one that is being made. */
  readonly role?: string
}

export const rolesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/roles",
  validateSearch: (raw: Record<string, unknown>): RolesSearch =>
    typeof raw["role"] === "string" && raw["role"] !== "" ? { role: raw["role"] } : {},
  component: lazyRouteComponent(() => import("./RolesPage.tsx"), "RolesPage")
})
