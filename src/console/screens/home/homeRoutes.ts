/** The addresses of these screens, and what their search parameters may say. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { readHome } from "./homeReads.ts"

export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  loader: ({ context }) => readHome(context.queries),
  component: lazyRouteComponent(() => import("./HomePage.tsx"), "HomePage")
})
