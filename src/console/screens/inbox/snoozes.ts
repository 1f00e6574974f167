/** Hides proposals from a person until a time. The preferences of the person store the times. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { change, procedureQuery } from "../../api/procedures.ts"
import { keptIn, snoozeField, snoozesIn } from "./snoozeTimes.ts"

export const useSnoozes = () => {
  const queries = useQueryClient()
  const { data } = useQuery(procedureQuery("preferences.get", {}))
  const snoozes = snoozesIn(data?.uiPreferences ?? {}, Date.now())
  /** Hides proposals until a time. If `until` is null, shows them again. */
  const snooze = async (ids: ReadonlyArray<string>, until: Date | null): Promise<void> => {
    const over = Object.keys(keptIn(data?.uiPreferences ?? {})).filter((id) => snoozes[id] === undefined)
    await change("preferences.merge", {
      uiPreferences: {
        [snoozeField]: Object.fromEntries([
          ...over.map((id) => [id, null] as const), // This removes old snoozes, so that the list stays short.
          ...ids.map((id) => [id, until?.toISOString() ?? null] as const)
        ])
      }
    })
    await queries.invalidateQueries({ queryKey: ["preferences"] })
  }
  return { snoozes, snooze }
}
