/** The addresses of these screens, and what their search parameters may say. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { flagIn, numberIn, textIn } from "../../ui/searchValues.ts"

export interface ExploreSearch {
  /** The content of the page: the records of one kind, or the answers to a question. */
  readonly tab?: "search" | undefined
  /** An entity kind by its slug, or one of the other types such as `document`. */
  readonly kind?: string | undefined
  readonly workspaceId?: string | undefined
  /** Words that the listed records have. */
  readonly q?: string | undefined
  readonly offset?: number | undefined
  /** The question of the search. */
  readonly question?: string | undefined
  readonly compare?: boolean | undefined
}

export const exploreRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/explore",
  validateSearch: (raw: Record<string, unknown>): ExploreSearch => ({
    tab: raw["tab"] === "search" ? "search" : undefined,
    kind: textIn(raw["kind"]),
    workspaceId: textIn(raw["workspaceId"]),
    q: textIn(raw["q"]),
    offset: numberIn(raw["offset"]),
    question: textIn(raw["question"]),
    compare: flagIn(raw["compare"])
  }),
  component: lazyRouteComponent(() => import("./ExplorePage.tsx"), "ExplorePage")
})

export interface RecordSearch {
  readonly tab?: string | undefined
  /** The space of a knowledge entry, whose key is unique only there. */
  readonly workspaceId?: string | undefined
}

export const recordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/explore/$type/$id",
  validateSearch: (raw: Record<string, unknown>): RecordSearch => ({
    tab: textIn(raw["tab"]),
    workspaceId: textIn(raw["workspaceId"])
  }),
  component: lazyRouteComponent(() => import("./RecordPage.tsx"), "RecordPage")
})
