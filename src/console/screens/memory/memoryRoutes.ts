/** The route of the Memory screen, and its search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { memorySearchOf } from "./memorySearch.ts"

export const memoryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/memory",
  validateSearch: memorySearchOf,
  component: lazyRouteComponent(() => import("./MemoryPage.tsx"), "MemoryPage")
})
