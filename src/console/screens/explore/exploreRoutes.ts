/** The routes of the Explore screens, and their search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { withChosenWorkspace } from "../../shell/workspaceChoice.ts"
import { flagIn, numberIn, textIn } from "../../ui/searchValues.ts"

export interface ExploreSearch {
  /** What the page shows: `search` for the answers to a question; if absent, the records of one kind. */
  readonly tab?: "search" | undefined
  /** An entity kind by its slug, or one of the other types such as `document`. */
  readonly kind?: string | undefined
  readonly workspaceId?: string | undefined
  /** Only records that contain these words are listed. */
  readonly q?: string | undefined
  readonly offset?: number | undefined
  /** The column by which the list is sorted, with `-` in front for the reverse order. */
  readonly sort?: string | undefined
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
    sort: textIn(raw["sort"]),
    question: textIn(raw["question"]),
    compare: flagIn(raw["compare"])
  }),
  beforeLoad: withChosenWorkspace("/explore"),
  component: lazyRouteComponent(() => import("./ExplorePage.tsx"), "ExplorePage")
})

export interface RecordSearch {
  readonly tab?: string | undefined
  /** The workspace of a knowledge entry. It is needed because the key of an entry is unique only in its space. */
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
