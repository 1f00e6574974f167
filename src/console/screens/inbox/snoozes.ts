/** Proposals that a person does not want to see until a time. They are kept in the preferences of the person. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { ask, change, procedureQuery } from "../../api/procedures.ts"
import { snoozeField, snoozesIn } from "./snoozeTimes.ts"

export const useSnoozes = () => {
  const queries = useQueryClient()
  const { data } = useQuery(procedureQuery("preferences.get", {}))
  const snoozes = snoozesIn(data?.uiPreferences ?? {}, Date.now())
  /** Puts proposals to sleep, or wakes them where `until` is null. */
  const snooze = async (ids: ReadonlyArray<string>, until: Date | null): Promise<void> => {
    // Other settings are in the same field, so it is read immediately before it is written.
    const { uiPreferences } = await ask("preferences.get", {})
    const others = Object.entries(snoozesIn(uiPreferences, Date.now())).filter(([id]) => !ids.includes(id))
    const added = until === null ? [] : ids.map((id) => [id, until.toISOString()] as const)
    await change("preferences.set", {
      uiPreferences: { ...uiPreferences, [snoozeField]: Object.fromEntries([...others, ...added]) }
    })
    await queries.invalidateQueries({ queryKey: ["preferences"] })
  }
  return { snoozes, snooze }
}
