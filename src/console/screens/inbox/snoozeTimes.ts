/** Reads the times of snoozed proposals from the preferences, and offers times for a new snooze. */

/** The time until which each snoozed proposal is hidden, by the id of the proposal. */
export type Snoozes = Readonly<Record<string, string>>

export const snoozeField = "snoozedProposals"

/** All snoozes in the stored preferences. Their values are not checked. */
export const storedSnoozes = (uiPreferences: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const stored = uiPreferences[snoozeField]
  return typeof stored === "object" && stored !== null ? { ...stored } : {}
}

/** Reads the stored snoozes. Leaves out snoozes that are over or that have no valid time. */
export const snoozesIn = (uiPreferences: Readonly<Record<string, unknown>>, nowMs: number): Snoozes =>
  Object.fromEntries(
    Object.entries(storedSnoozes(uiPreferences)).flatMap(([id, until]) =>
      typeof until === "string" && Date.parse(until) > nowMs ? [[id, until] as const] : []
    )
  )

export interface SnoozeChoice {
  readonly name: string
  readonly until: Date
}

const atHour = (from: Date, days: number, hour: number) =>
  new Date(from.getFullYear(), from.getMonth(), from.getDate() + days, hour)
const morningHour = 9
const monday = 1

export const snoozeChoices = (now: Date): ReadonlyArray<SnoozeChoice> => [
  { name: "For an hour", until: new Date(now.getTime() + 3_600_000) },
  { name: "Until tomorrow morning", until: atHour(now, 1, morningHour) },
  { name: "Until Monday morning", until: atHour(now, ((monday + 6 - now.getDay()) % 7) + 1, morningHour) }
]
