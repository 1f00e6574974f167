/** The routes of the event screens, and their search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { withChosenWorkspace } from "../../shell/workspaceChoice.ts"
import { oneOf, textIn } from "../../ui/searchValues.ts"
import { type TimeRange, timeRangeIn } from "../../ui/timeRange.ts"

export const eventSources = ["api", "automation", "sync", "migration", "system", "intelligence"] as const
/** The kinds of metadata. `any` selects every event that has metadata. */
export const metadataKinds = ["any", "ai", "import", "sync", "automation", "custom"] as const

export interface EventsSearch extends TimeRange {
  readonly type?: string | undefined
  readonly source?: (typeof eventSources)[number] | undefined
  readonly workspaceId?: string | undefined
  readonly subjectId?: string | undefined
  /** The id of the person or agent who acted. */
  readonly actorId?: string | undefined
  readonly metadataKind?: (typeof metadataKinds)[number] | undefined
  /** The id of the event whose details are open. */
  readonly event?: string | undefined
  /** The name of the shown tab of the details. Undefined for the first tab. */
  readonly tab?: string | undefined
}

export const eventsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/events",
  validateSearch: (raw: Record<string, unknown>): EventsSearch => ({
    type: textIn(raw["type"]),
    source: oneOf(raw["source"], eventSources),
    workspaceId: textIn(raw["workspaceId"]),
    subjectId: textIn(raw["subjectId"]),
    actorId: textIn(raw["actorId"]),
    metadataKind: oneOf(raw["metadataKind"], metadataKinds),
    ...timeRangeIn(raw),
    event: textIn(raw["event"]),
    tab: textIn(raw["tab"])
  }),
  beforeLoad: withChosenWorkspace("/events"),
  component: lazyRouteComponent(() => import("./EventsPage.tsx"), "EventsPage")
})
