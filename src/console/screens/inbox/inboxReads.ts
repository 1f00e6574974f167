/**
 * Requests the data of the inbox. The requests start as soon as the address is known, before the code of the page is
 * loaded.
 */
import type { QueryClient } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import { type InboxSearch, rowsOnPage, statusOf } from "./inboxSearch.ts"

const idsMost = 200 // ids in one request; the limit of the pod

/** Which of the waiting proposals a tab shows. `asleep`: the ids of the snoozed proposals. */
const chosenBy = ({ tab = "waiting" }: InboxSearch, asleep: ReadonlyArray<string>) => {
  const ids = asleep.toSorted().slice(0, idsMost).join(",")
  if (tab === "snoozed") return { ids }
  if (tab === "waiting" && ids !== "") return { exceptIds: ids }
  return tab === "mine" ? ({ whose: "mine" } as const) : {}
}

export const inboxInput = (search: InboxSearch, asleep: ReadonlyArray<string>) =>
  ({
    query: {
      status: statusOf(search),
      ...chosenBy(search, asleep),
      view: "basic",
      limit: rowsOnPage,
      offset: ((search.page ?? 1) - 1) * rowsOnPage
    }
  }) as const

export const readInbox = (queries: QueryClient, search: InboxSearch): void => {
  void queries.prefetchQuery(hubQuery("GET /api/hub/proposals", inboxInput(search, [])))
}
