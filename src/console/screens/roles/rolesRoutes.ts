/** The route of the screen of access roles, and its search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { textIn } from "../../ui/searchValues.ts"

export interface RolesSearch {
  /** The id of the role whose details are open. `new` if the form for a new role is open. */
  readonly role?: string | undefined
  /** The name of the shown tab of the details. Undefined for the first tab. */
  readonly tab?: string | undefined
  /** The search text. The list shows only rows that contain it. */
  readonly q?: string | undefined
  /** The column by which the list is sorted, with `-` in front for the reverse order. */
  readonly sort?: string | undefined
}

export const rolesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/roles",
  validateSearch: (raw: Record<string, unknown>): RolesSearch => ({
    role: textIn(raw["role"]),
    tab: textIn(raw["tab"]),
    q: textIn(raw["q"]),
    sort: textIn(raw["sort"])
  }),
  component: lazyRouteComponent(() => import("./RolesPage.tsx"), "RolesPage")
})
