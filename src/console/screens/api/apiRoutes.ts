/** The routes of the API screens, and their search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { type Surface, surfaces } from "../../api/reference.ts"

export interface ApiSearch {
  /** The search words. */
  readonly q?: string
  readonly surface?: Surface
  /** The id of the shown operation. */
  readonly op?: string
  /** The id of the key that the person chose. The list marks the operations that this key may call. */
  readonly key?: string
  /** If true, the list shows only the operations that the chosen key may call. */
  readonly open?: true
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

export const apiRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/api",
  validateSearch: (raw: Record<string, unknown>): ApiSearch => {
    const surface = surfaces.find((each) => each === raw["surface"])
    const [q, op, key] = [textOf(raw["q"]), textOf(raw["op"]), textOf(raw["key"])]
    return {
      ...(q === undefined ? {} : { q }),
      ...(surface === undefined ? {} : { surface }),
      ...(op === undefined ? {} : { op }),
      ...(key === undefined ? {} : { key }),
      ...(raw["open"] === true ? { open: true as const } : {})
    }
  },
  component: lazyRouteComponent(() => import("./ApiPage.tsx"), "ApiPage")
})
