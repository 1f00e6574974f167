/** The routes of the connect screens, and their search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"

export interface ConnectSearch {
  readonly client?: string
  readonly key?: string
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

export const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/connect",
  validateSearch: (raw: Record<string, unknown>): ConnectSearch => {
    const [client, key] = [textIn(raw["client"]), textIn(raw["key"])]
    return { ...(client === undefined ? {} : { client }), ...(key === undefined ? {} : { key }) }
  },
  component: lazyRouteComponent(() => import("./ConnectPage.tsx"), "ConnectPage")
})
