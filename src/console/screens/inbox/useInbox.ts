/**
 * The rows that the inbox shows. The rows are the proposals from the pod. A proposal is hidden if it does not belong to
 * the tab, if it is snoozed, or if the person has just decided about it.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { onceKnown, useHiddenProposals } from "../../api/hiddenSample.ts"
import { hubPageQuery } from "../../api/hub.ts"
import { useFreshReads } from "../../api/stream.ts"
import { useDecisions } from "./decisions.ts"
import { inboxInput, type InboxSearch } from "./inboxSearch.ts"
import type { ProposalRow } from "./inboxText.ts"
import { useSnoozes } from "./snoozes.ts"

/**
 * Leaves out the rows that no longer belong to the tab, even if the pod still lists them. `isDecided` is true for a
 * proposal that the person has just decided about. `isAsleep` is true for a snoozed proposal.
 */
export const rowsOf = (
  rows: ReadonlyArray<ProposalRow>,
  { tab = "waiting" }: InboxSearch,
  isDecided: (id: string) => boolean,
  isAsleep: (id: string) => boolean
): ReadonlyArray<ProposalRow> => {
  switch (tab) {
    case "waiting":
      return rows.filter(({ id }) => !isDecided(id) && !isAsleep(id))
    case "snoozed":
      return rows.filter(({ id }) => !isDecided(id) && isAsleep(id))
    case "mine":
      return rows.filter(({ id }) => !isDecided(id))
    case "decided":
      return rows
  }
}

export const useInbox = (search: InboxSearch) => {
  const { decided } = useDecisions()
  const { isKnown, snoozes } = useSnoozes()
  const refetchInterval = useFreshReads({ proposal: ["proposals"], preference: ["preferences"], agent: ["agents"] })
  const hidden = useHiddenProposals()
  const { tab = "waiting" } = search
  const leftOut = tab === "waiting" ? hidden.ids : []
  const input = inboxInput(search, [...Object.keys(snoozes), ...leftOut])
  const latest = useQuery({
    ...hubPageQuery("GET /api/hub/proposals", input),
    refetchInterval,
    placeholderData: keepPreviousData
  })
  const query = onceKnown(isKnown && (tab !== "waiting" || hidden.isKnown), latest)
  // The page that is still shown while the next one is read can have hidden proposals.
  const rows = rowsOf(
    (query.data?.answer.proposals ?? []).filter(({ id }) => !leftOut.includes(id)),
    search,
    (id) => decided.has(id),
    (id) => Object.hasOwn(snoozes, id)
  )
  return { query, input, rows, isLive: refetchInterval === false, asleep: Object.keys(snoozes).length }
}
