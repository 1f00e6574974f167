/** The route of the wizard for a new key, and its search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"

/** The starting values of a new key. With them, a link opens a wizard that is already filled in. */
export interface NewKeySearch {
  /** The id of a recipe. */
  readonly recipe?: string
  /** The id of an access role. */
  readonly role?: string
  /** The id of a key whose rights the new key copies. */
  readonly from?: string
  /** The id of the agent that will hold the key. */
  readonly agent?: string
  /** The ids of workspaces, separated by commas. */
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
