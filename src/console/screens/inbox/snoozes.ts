/** Hides proposals from a person until a time. The preferences of the person store the times. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useReducer } from "react"
import { change, procedureQuery } from "../../api/procedures.ts"
import { storedSnoozes, snoozeField, snoozesIn } from "./snoozeTimes.ts"

export const preferencesQuery = procedureQuery("preferences.get", {})

// If the delay of a timer is longer, a browser runs the timer at once.
const longestTimerMs = 2 ** 31 - 1

export const useSnoozes = () => {
  const queries = useQueryClient()
  const { data, isPending } = useQuery(preferencesQuery)
  const snoozes = snoozesIn(data?.uiPreferences ?? {}, Date.now())
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  const [firstEnd] = Object.values(snoozes).toSorted((one, other) => Date.parse(one) - Date.parse(other))
  useEffect(() => {
    if (firstEnd === undefined) return undefined
    const timer = setTimeout(renderAgain, Math.min(Date.parse(firstEnd) - Date.now(), longestTimerMs))
    return () => clearTimeout(timer)
  }, [firstEnd])
  /** Hides proposals until a time. If `until` is null, shows them again. */
  const snooze = async (ids: ReadonlyArray<string>, until: Date | null): Promise<void> => {
    const over = Object.keys(storedSnoozes(data?.uiPreferences ?? {})).filter((id) => snoozes[id] === undefined)
    await change("preferences.merge", {
      uiPreferences: {
        [snoozeField]: Object.fromEntries([
          // The entries with null remove the snoozes that are over, so that the stored list stays short.
          ...over.map((id) => [id, null] as const),
          ...ids.map((id) => [id, until?.toISOString() ?? null] as const)
        ])
      }
    })
    await queries.invalidateQueries({ queryKey: ["preferences"] })
  }
  /** `isKnown` is false until the pod has answered which proposals are snoozed. */
  return { isKnown: !isPending, snoozes, snooze }
}
