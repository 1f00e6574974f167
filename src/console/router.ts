/** The table of screens. Each screen has one line. */
import { createRouter } from "@tanstack/react-router"
import { consolePath } from "./api/root.ts"
import { agentsRoute } from "./screens/agents/agentsRoutes.ts"
import { apiRoute } from "./screens/api/apiRoutes.ts"
import { connectRoute } from "./screens/connect/connectRoutes.ts"
import { connectionsRoute } from "./screens/connections/connectionsRoutes.ts"
import { eventsRoute } from "./screens/events/eventsRoutes.ts"
import { exploreRoute, recordRoute } from "./screens/explore/exploreRoutes.ts"
import { healthRoute } from "./screens/health/healthRoutes.ts"
import { homeRoute } from "./screens/home/homeRoutes.ts"
import { inboxRoute, proposalRoute } from "./screens/inbox/inboxRoutes.ts"
import { joinRoute } from "./screens/join/joinRoutes.ts"
import { newKeyRoute } from "./screens/keys/keysRoutes.ts"
import { memoryRoute } from "./screens/memory/memoryRoutes.ts"
import { rolesRoute } from "./screens/roles/rolesRoutes.ts"
import { settingsRoute } from "./screens/settings/settingsRoutes.ts"
import { setupRoute } from "./screens/setup/setupRoutes.ts"
import { signInRoute } from "./screens/signIn/signInRoutes.ts"
import { webhooksRoute } from "./screens/webhooks/webhooksRoutes.ts"
import { workspacesRoute, workspaceRoute } from "./screens/workspaces/workspacesRoutes.ts"
import { rootRoute, type RouterContext, shellRoute, unknownRoute } from "./shell/routes.tsx"

const routeTree = rootRoute.addChildren([
  signInRoute,
  setupRoute,
  joinRoute,
  shellRoute.addChildren([
    homeRoute,
    inboxRoute,
    proposalRoute,
    exploreRoute,
    recordRoute,
    memoryRoute,
    eventsRoute,
    webhooksRoute,
    connectionsRoute,
    newKeyRoute,
    connectRoute,
    rolesRoute,
    agentsRoute,
    workspacesRoute,
    workspaceRoute,
    healthRoute,
    apiRoute,
    settingsRoute,
    unknownRoute
  ])
])

export const makeRouter = (context: RouterContext) =>
  createRouter({ routeTree, context, basepath: consolePath, defaultPreload: "intent", scrollRestoration: true })

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
