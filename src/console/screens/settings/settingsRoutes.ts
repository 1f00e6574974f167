/** The route of the Settings screen, and its search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { type TimeRange, timeRangeIn } from "../../ui/timeRange.ts"
import { type SettingsPart, settingsParts } from "./settingsParts.ts"

export interface SettingsSearch extends TimeRange {
  readonly show?: SettingsPart
  /** The place where the page of a long list begins. */
  readonly after?: string | undefined
  /** The first word of an event type, such as `access`. The audit shows only events of such types. */
  readonly about?: string
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings",
  validateSearch: (raw: Record<string, unknown>): SettingsSearch => {
    const show = settingsParts.find((part) => part === raw["show"])
    const after = textOf(raw["after"])
    const about = textOf(raw["about"])
    return {
      ...(show === undefined ? {} : { show }),
      ...(after === undefined ? {} : { after }),
      ...(about === undefined ? {} : { about }),
      ...timeRangeIn(raw)
    }
  },
  component: lazyRouteComponent(() => import("./SettingsPage.tsx"), "SettingsPage")
})
