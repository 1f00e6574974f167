/** The route of the Home screen. It requests the data of the screen before it loads the code of the screen. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { readHome } from "./homeReads.ts"

export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  loader: ({ context }) => readHome(context.queries),
  component: lazyRouteComponent(() => import("./HomePage.tsx"), "HomePage")
})
