/** The two frames that every screen hangs below: one for everybody, one for a person who signed in. */
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router"
import type { QueryClient } from "@tanstack/react-query"
import { currentSession } from "../api/session.ts"
import { Broken, Unknown } from "./Broken.tsx"
import { Shell } from "./Shell.tsx"

export interface RouterContext {
  readonly queries: QueryClient
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: Broken,
  notFoundComponent: Unknown
})

/** Screens for people who signed in. Whoever did not is asked to, and comes back to where they wanted to go. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: ({ location }) => {
    if (currentSession() === undefined) throw redirect({ to: "/sign-in", search: { next: location.href } })
  },
  component: Shell,
  notFoundComponent: Unknown
})

/** An address without a screen: the person sees the rail, and can go on from there. */
export const unknownRoute = createRoute({ getParentRoute: () => shellRoute, path: "$", component: Unknown })
