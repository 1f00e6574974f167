/** The route of the Home screen. Its reads start before its code is loaded. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { readHome } from "./homeReads.ts"

export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  loader: ({ context }) => readHome(context.queries),
  component: lazyRouteComponent(() => import("./HomePage.tsx"), "HomePage")
})
