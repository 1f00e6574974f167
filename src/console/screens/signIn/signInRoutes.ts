/** The route of the sign-in screen, and its search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { rootRoute } from "../../shell/routes.tsx"

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (raw: Record<string, unknown>): { readonly next?: string } =>
    typeof raw["next"] === "string" ? { next: raw["next"] } : {},
  component: lazyRouteComponent(() => import("./SignInPage.tsx"), "SignInPage")
})
