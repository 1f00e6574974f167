/**
 * Requests the data of the inbox. The requests start as soon as the address is known, before the code of the page is
 * loaded.
 */
import type { QueryClient } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import { inboxInput, type InboxSearch } from "./inboxSearch.ts"

export const readInbox = (queries: QueryClient, search: InboxSearch): void => {
  void queries.prefetchQuery(hubQuery("GET /api/hub/proposals", inboxInput(search, [])))
}
