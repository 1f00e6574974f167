/** The route of the Health screen. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"

export const healthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/health",
  component: lazyRouteComponent(() => import("./HealthPage.tsx"), "HealthPage")
})
