/**
 * Reads the latest deliveries of a webhook at intervals, because the pod sends no events about deliveries and their
 * calls.
 */
import { useInfiniteQuery } from "@tanstack/react-query"
import { pagesQuery } from "../../api/everyPage.ts"
import { askPage } from "../../api/procedures.ts"
import { type TimeRange, timesOf } from "../../ui/timeRange.ts"
import type { Delivery } from "./webhookFacts.ts"

// The pod returns at most this many deliveries on one page.
export const deliveriesAtOnce = 100
// The milliseconds between two reads if a call is due soon.
const lookOftenMs = 3_000
const lookMs = 5_000
// If no call is due within this many milliseconds, the console reads less often.
const lookSoonMs = 60_000

/** True if a call is due within `lookSoonMs`. */
const isDueSoon = ({ nextAttemptAt }: { readonly nextAttemptAt: string | null }): boolean =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + lookSoonMs

/** The milliseconds until the console reads the deliveries again. */
export const lookAgainMs = (calls: ReadonlyArray<Parameters<typeof isDueSoon>[0]> | undefined): number =>
  calls?.some(isDueSoon) === true ? lookOftenMs : lookMs

/** The times of a range, as the pod wants them for a list of deliveries. */
export const deliveryTimes = (range: TimeRange) => {
  const { fromDate, until } = timesOf(range)
  return { ...(fromDate === undefined ? {} : { since: fromDate }), ...(until === undefined ? {} : { until }) }
}

export const useDeliveries = (subscriptionId: string, range: TimeRange) =>
  useInfiniteQuery({
    ...pagesQuery<Delivery>(["webhooks", "webhooks.deliveries", subscriptionId, range], {
      atOnce: deliveriesAtOnce,
      read: (page, signal) =>
        askPage("webhooks.deliveries", { subscriptionId, ...deliveryTimes(range), ...page }, signal)
    }),
    refetchInterval: ({ state }) => lookAgainMs(state.data?.pages.flatMap(({ answer }) => answer))
  })
