/** The routes of the connection screens, and their search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { type ConnectionsSearch, type Filter, filters } from "./connectionRows.ts"

const oneOf = <Value extends string>(value: unknown, values: ReadonlyArray<Value>): Value | undefined =>
  values.find((each) => each === value)

const textIn = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

export const connectionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/connections",
  validateSearch: (raw: Record<string, unknown>): ConnectionsSearch => {
    const holder = oneOf(raw["holder"], ["person", "agent", "app"] as const)
    const status = oneOf(raw["status"], ["active", "ended"] as const)
    // `filters` is written out in the code, so its keys are exactly the filters.
    const only = oneOf(raw["only"], Object.keys(filters) as ReadonlyArray<Filter>)
    const page = Number.isInteger(raw["page"]) && Number(raw["page"]) > 1 ? Number(raw["page"]) : undefined
    const [q, sort, key, tab] = [textIn(raw["q"]), textIn(raw["sort"]), textIn(raw["key"]), textIn(raw["tab"])]
    return {
      ...(holder === undefined ? {} : { holder }),
      ...(status === undefined ? {} : { status }),
      ...(only === undefined ? {} : { only }),
      ...(q === undefined ? {} : { q }),
      ...(sort === undefined ? {} : { sort }),
      ...(page === undefined ? {} : { page }),
      ...(key === undefined ? {} : { key }),
      ...(tab === undefined ? {} : { tab }),
      ...(raw["refused"] === true ? { refused: true } : {})
    }
  },
  component: lazyRouteComponent(() => import("./ConnectionsPage.tsx"), "ConnectionsPage")
})
