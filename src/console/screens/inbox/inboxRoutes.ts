/** The routes of the inbox screens, and their search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { readInbox } from "./inboxReads.ts"
import { inboxSearchOf } from "./inboxSearch.ts"

export const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/inbox",
  validateSearch: inboxSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => readInbox(context.queries, deps),
  component: lazyRouteComponent(() => import("./InboxPage.tsx"), "InboxPage")
})

export const proposalRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/inbox/$id",
  component: lazyRouteComponent(() => import("./ProposalPage.tsx"), "ProposalPage")
})
