/** The two parent routes of all screens: one for everybody, and one for people who are signed in. */
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router"
import type { QueryClient } from "@tanstack/react-query"
import { currentSession } from "../api/session.ts"
import { CrashPage, Unknown } from "./CrashPage.tsx"
import { Shell } from "./Shell.tsx"

export interface RouterContext {
  readonly queries: QueryClient
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: CrashPage,
  notFoundComponent: Unknown
})

/**
 * The parent route of screens for signed-in people. Other people first see the sign-in page, and after that the page
 * that they wanted.
 */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: ({ location }) => {
    if (currentSession() === undefined) throw redirect({ to: "/sign-in", search: { next: location.href } })
  },
  component: Shell,
  notFoundComponent: Unknown
})

/** The page for an unknown address. It keeps the menu, so that the person can open another page. */
export const unknownRoute = createRoute({ getParentRoute: () => shellRoute, path: "$", component: Unknown })
