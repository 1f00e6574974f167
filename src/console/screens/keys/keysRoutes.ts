/** The addresses of these screens, and what their search parameters may say. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"

/** Where a new key begins, so that other pages and programs can link to a filled wizard. */
export interface NewKeySearch {
  /** Id of a recipe. */
  readonly recipe?: string
  /** Id of an access role. */
  readonly role?: string
  /** Id of a key whose rights are copied. */
  readonly from?: string
  /** Id of an agent that will hold the key. */
  readonly agent?: string
  /** Ids of workspaces, separated by commas. */
  readonly workspaces?: string
  /** Permissions, separated by commas. */
  readonly permissions?: string
  /** Scopes, separated by commas. */
  readonly scopes?: string
  readonly name?: string
}

const names = ["recipe", "role", "from", "agent", "workspaces", "permissions", "scopes", "name"] as const

export const newKeyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/keys/new",
  validateSearch: (raw: Record<string, unknown>): NewKeySearch =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = raw[name]
        return typeof value === "string" && value !== "" ? [[name, value]] : []
      })
    ),
  component: lazyRouteComponent(() => import("./NewKeyPage.tsx"), "NewKeyPage")
})
