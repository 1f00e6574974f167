/**
 * Requests the data of the inbox. The console calls this function when the person opens the page, before it loads the
 * code of the page.
 */
import type { QueryClient } from "@tanstack/react-query"
import { hubPageQuery } from "../../api/hub.ts"
import { inboxInput, type InboxSearch } from "./inboxSearch.ts"

export const readInbox = (queries: QueryClient, search: InboxSearch): void => {
  void queries.prefetchQuery(hubPageQuery("GET /api/hub/proposals", inboxInput(search, [])))
}
