/**
 * Reads the latest proposals that wait for the person, and their number. Snoozed proposals and those of a hidden sample
 * are left out.
 */
import { useQuery } from "@tanstack/react-query"
import { onceKnown, useHiddenProposals } from "../../api/hiddenSample.ts"
import { hubQuery } from "../../api/hub.ts"
import { proposalsOfTab } from "./inboxSearch.ts"
import { useSnoozes } from "./snoozes.ts"

export const waitingProposalsInput = (limit: number, asleep: ReadonlyArray<string>) =>
  ({ query: { status: "pending", view: "basic", limit, ...proposalsOfTab({}, asleep) } }) as const

/** `limit` is the largest number of proposals in the answer. The number of all of them is `total`. */
export const useWaiting = (limit: number, refetchInterval: number | false) => {
  const { isKnown, snoozes } = useSnoozes()
  const hidden = useHiddenProposals()
  const input = waitingProposalsInput(limit, [...Object.keys(snoozes), ...hidden.ids])
  const isAllKnown = isKnown && hidden.isKnown
  const query = useQuery({ ...hubQuery("GET /api/hub/proposals", input), refetchInterval, enabled: isAllKnown })
  return { input, query: onceKnown(isAllKnown, query) }
}
