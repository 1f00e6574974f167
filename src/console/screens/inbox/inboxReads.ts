/**
 * Requests the data of the inbox. The requests start as soon as the address is known, before the code of the page is
 * loaded.
 */
import type { QueryClient } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import { type InboxSearch, rowsOnPage, statusOf } from "./inboxSearch.ts"

export const inboxInput = (search: InboxSearch) =>
  ({
    query: {
      status: statusOf(search),
      view: "basic",
      limit: rowsOnPage,
      offset: ((search.page ?? 1) - 1) * rowsOnPage
    }
  }) as const

export const readInbox = (queries: QueryClient, search: InboxSearch): void => {
  void queries.prefetchQuery(hubQuery("GET /api/hub/proposals", inboxInput(search)))
}
