/**
 * The rows that the inbox shows: the proposals from the pod, filtered by the tab, by snoozes, and by the decisions that
 * were just made in this browser.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import { useFreshReads } from "../../api/stream.ts"
import { useDecisions } from "./decisions.ts"
import { inboxInput } from "./inboxReads.ts"
import type { InboxSearch } from "./inboxSearch.ts"
import type { ProposalRow } from "./inboxText.ts"
import { useSnoozes } from "./snoozes.ts"
import type { useNames } from "../../api/useNames.ts"

/**
 * Filters a page of proposals for a tab. `isDecided`: the person has just decided about the proposal here. `isAsleep`:
 * the proposal is snoozed. `isMine`: the person or one of the person's agents made it.
 */
export const rowsOf = (
  rows: ReadonlyArray<ProposalRow>,
  { tab = "waiting" }: InboxSearch,
  isDecided: (id: string) => boolean,
  isAsleep: (id: string) => boolean,
  isMine: (id: string | null) => boolean
): ReadonlyArray<ProposalRow> => {
  switch (tab) {
    case "waiting":
      return rows.filter(({ id }) => !isDecided(id) && !isAsleep(id))
    case "snoozed":
      return rows.filter(({ id }) => !isDecided(id) && isAsleep(id))
    case "mine":
      return rows.filter(({ agentUserId, id }) => !isDecided(id) && isMine(agentUserId))
    case "decided":
    case "failed":
      return rows
  }
}

export const useInbox = (search: InboxSearch, { isMine }: Pick<ReturnType<typeof useNames>, "isMine">) => {
  const { decided } = useDecisions()
  const { snoozes } = useSnoozes()
  const refetchInterval = useFreshReads({ proposal: ["proposals"], preference: ["preferences"], agent: ["agents"] })
  const input = inboxInput(search)
  const query = useQuery({
    ...hubQuery("GET /api/hub/proposals", input),
    refetchInterval,
    placeholderData: keepPreviousData
  })
  const rows = rowsOf(
    query.data?.proposals ?? [],
    search,
    (id) => decided.has(id),
    (id) => Object.hasOwn(snoozes, id),
    isMine
  )
  return { query, input, rows, isLive: refetchInterval === false, asleep: Object.keys(snoozes).length }
}
