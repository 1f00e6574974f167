/** The route of the screen of access roles, and its search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { textIn } from "../../ui/searchValues.ts"

export interface RolesSearch {
  /** The id of the role whose details are open; `new` for the form of a new role. */
  readonly role?: string | undefined
  /** The text that the rows of the list contain. */
  readonly q?: string | undefined
  /** The column by which the list is sorted, with `-` in front for the reverse order. */
  readonly sort?: string | undefined
}

export const rolesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/roles",
  validateSearch: (raw: Record<string, unknown>): RolesSearch => ({
    role: textIn(raw["role"]),
    q: textIn(raw["q"]),
    sort: textIn(raw["sort"])
  }),
  component: lazyRouteComponent(() => import("./RolesPage.tsx"), "RolesPage")
})
