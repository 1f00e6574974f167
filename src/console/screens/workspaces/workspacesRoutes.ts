/** The routes of the workspace screens, and their search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { type WorkspacePart, workspaceParts } from "./workspaceParts.ts"

export const workspacesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/workspaces",
  validateSearch: (raw: Record<string, unknown>): { readonly q?: string } =>
    typeof raw["q"] === "string" && raw["q"] !== "" ? { q: raw["q"] } : {},
  component: lazyRouteComponent(() => import("./WorkspacesPage.tsx"), "WorkspacesPage")
})

export const workspaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/workspaces/$id",
  validateSearch: (raw: Record<string, unknown>): { readonly show?: WorkspacePart } => {
    const show = workspaceParts.find((part) => part === raw["show"])
    return show === undefined ? {} : { show }
  },
  component: lazyRouteComponent(() => import("./WorkspacePage.tsx"), "WorkspacePage")
})
