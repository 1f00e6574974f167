/** Reads a time that a person types: a duration before now, or a date. */
import { Effect } from "effect"
import { badUsage, type CliFailure } from "./CliFailure.ts"

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Returns the time in ISO 8601, as the pod accepts it. The text is a duration before now, such as `1h` or `7d`, or a
 * time.
 */
export const sinceTime = (text: string, nowMs: number): Effect.Effect<string, CliFailure> => {
  const [, amount = "", unit = ""] = /^(\d+)([mhd])$/.exec(text) ?? []
  const ms = amount === "" ? Date.parse(text) : nowMs - Number(amount) * (unitMs[unit] ?? 0)
  // The largest JavaScript date is in the year 275760: 8.64e15 milliseconds after 1970.
  return Number.isNaN(ms) || Math.abs(ms) > 8.64e15
    ? Effect.fail(badUsage(`${JSON.stringify(text)} is not a time.`, "Use 30m, 1h, 7d, or 2026-03-01T12:00:00Z."))
    : Effect.succeed(new Date(ms).toISOString())
}
