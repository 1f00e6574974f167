/** The routes of the webhook screens, and their search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { type TimeRange, timeRangeIn } from "../../ui/timeRange.ts"
import { textIn } from "../../ui/searchValues.ts"

/** The range of time is that of the shown deliveries. */
export interface WebhooksSearch extends TimeRange {
  /** The id of the webhook whose deliveries are shown. */
  readonly id?: string | undefined
  /** The id of the delivery whose details are open. */
  readonly delivery?: string | undefined
  /** The name of the shown tab of the details. Undefined for the first tab. */
  readonly tab?: string | undefined
  /** The search text. The list shows only rows that contain it. */
  readonly q?: string | undefined
  /** The column by which the list is sorted, with `-` in front for the reverse order. */
  readonly sort?: string | undefined
}

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/webhooks",
  validateSearch: (raw: Record<string, unknown>): WebhooksSearch => ({
    id: textIn(raw["id"]),
    delivery: textIn(raw["delivery"]),
    tab: textIn(raw["tab"]),
    ...timeRangeIn(raw),
    q: textIn(raw["q"]),
    sort: textIn(raw["sort"])
  }),
  component: lazyRouteComponent(() => import("./WebhooksPage.tsx"), "WebhooksPage")
})
