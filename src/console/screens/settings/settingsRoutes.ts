/** The route of the Settings screen, and its search parameters. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { type TimeRange, timeRangeIn } from "../../ui/timeRange.ts"
import { type SettingsPart, settingsParts } from "./settingsParts.ts"

export interface SettingsSearch extends TimeRange {
  readonly show?: SettingsPart
  /** The number of rows that the person has skipped in a long list. */
  readonly offset?: number
  /** The first word of an event type, such as `access`. The audit shows only events of such types. */
  readonly about?: string
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings",
  validateSearch: (raw: Record<string, unknown>): SettingsSearch => {
    const show = settingsParts.find((part) => part === raw["show"])
    const offset = Number(raw["offset"])
    const about = textOf(raw["about"])
    return {
      ...(show === undefined ? {} : { show }),
      ...(Number.isInteger(offset) && offset > 0 ? { offset } : {}),
      ...(about === undefined ? {} : { about }),
      ...timeRangeIn(raw)
    }
  },
  component: lazyRouteComponent(() => import("./SettingsPage.tsx"), "SettingsPage")
})
