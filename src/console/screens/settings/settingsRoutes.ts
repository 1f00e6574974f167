/** The addresses of these screens, and what their search parameters may say. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../shell/routes.tsx"
import { type SettingsPart, settingsParts } from "./settingsParts.ts"

export interface SettingsSearch {
  readonly show?: SettingsPart
  /** The first row of the shown page of a long list. */
  readonly offset?: number
  /** The event types that the audit shows: those whose first word this is. */
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
      ...(about === undefined ? {} : { about })
    }
  },
  component: lazyRouteComponent(() => import("./SettingsPage.tsx"), "SettingsPage")
})
