/**
 * Requests the data of the Home page. The console calls this function when the person opens the page, before it loads
 * the code of the page.
 */
import type { QueryClient } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import { allWebhooksQuery, webhooksAtOnce } from "../../api/wholeLists.ts"
import { sampleMakersQuery } from "../../api/hiddenSample.ts"
import { allKeysQuery } from "../keys/allKeys.ts"
import { preferencesQuery } from "../inbox/snoozes.ts"
import { waitingProposalsInput } from "../inbox/useWaiting.ts"

export const orientInput = { query: { detail: "light" } } as const
// Home shows at most this many events.
export const activityMax = 12
// Home leaves out the events of notifications, because it shows the notifications themselves. So it asks for more events.
export const activityInput = { query: { limit: 40 } } as const
/**
 * The request that Home uses if the sample is hidden. It asks for more events than Home shows, because Home leaves out
 * the events of the sample.
 */
export const widerActivityInput = { query: { limit: 100 } } as const
export const webhooksInput = { query: { limit: webhooksAtOnce } } as const
export const refusalsInput = { query: { type: "access.refused", limit: 5 } } as const
// Home shows at most this many notifications.
export const notificationsMax = 10
// Home leaves out the notifications about waiting proposals, because it shows the proposals.
export const notificationsLeftOut = "proposal_waiting"
// Home asks for more notifications than it shows, because it also leaves out those of a hidden sample.
export const notificationsInput = { query: { unread: "true", exceptKind: notificationsLeftOut, limit: 50 } } as const
// Home shows at most this many waiting proposals.
export const waitingMax = 5
export const everProposedInput = { query: { status: "all", view: "basic", limit: 1 } } as const

export const readHome = (queries: QueryClient): void => {
  void queries.prefetchQuery(hubQuery("GET /api/hub/orient", orientInput))
  void queries.prefetchQuery(hubQuery("GET /api/hub/proposals", everProposedInput))
  void queries.prefetchQuery(preferencesQuery)
  void queries.prefetchQuery(allKeysQuery)
  void queries.prefetchQuery(sampleMakersQuery)
  void queries.prefetchQuery(hubQuery("GET /api/hub/proposals", waitingProposalsInput(waitingMax, [])))
  void queries.prefetchQuery(hubQuery("GET /api/hub/notifications", notificationsInput))
  void queries.prefetchQuery(allWebhooksQuery)
  void queries.prefetchQuery(hubQuery("GET /api/hub/events", refusalsInput))
  void queries.prefetchQuery(hubQuery("GET /api/hub/events", activityInput))
}
