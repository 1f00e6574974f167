/** The route of the setup screen. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { rootRoute } from "../../shell/routes.tsx"

export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/setup",
  component: lazyRouteComponent(() => import("./SetupPage.tsx"), "SetupPage")
})
