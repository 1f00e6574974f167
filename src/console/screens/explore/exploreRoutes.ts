/** The routes of the Explore screens, and their search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { withChosenWorkspace } from "../../shell/workspaceChoice.ts"
import { flagIn, textIn } from "../../ui/searchValues.ts"

export interface ExploreSearch {
  /** `search` if the page shows the answers to a question. If absent, the page shows the records of one kind. */
  readonly tab?: "search" | undefined
  /** The slug of a kind of entity, or another record type such as `document`. */
  readonly kind?: string | undefined
  readonly workspaceId?: string | undefined
  /** The search text. The list shows only records that contain these words. */
  readonly q?: string | undefined
  /** The place where the page of the list begins. */
  readonly after?: string | undefined
  /** The column by which the list is sorted, with `-` in front for the reverse order. */
  readonly sort?: string | undefined
  /** The question that the person asked. */
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
    after: textIn(raw["after"]),
    sort: textIn(raw["sort"]),
    question: textIn(raw["question"]),
    compare: flagIn(raw["compare"])
  }),
  beforeLoad: withChosenWorkspace("/explore"),
  component: lazyRouteComponent(() => import("./ExplorePage.tsx"), "ExplorePage")
})

export interface RecordSearch {
  readonly tab?: string | undefined
  /** The workspace of a knowledge entry. It is needed because two spaces can have entries with the same key. */
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
