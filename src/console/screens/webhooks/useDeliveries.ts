/**
 * The latest deliveries of a webhook. They are read at intervals, because the pod sends no events about deliveries and
 * their calls.
 */
import { useQuery } from "@tanstack/react-query"
import { procedureQuery } from "../../api/procedures.ts"

export const listedMost = 100
const lookOftenMs = 3_000 // milliseconds between two reads while a call is due soon
const lookMs = 5_000
const lookSoonMs = 60_000 // milliseconds; if no call is due within this time, the deliveries are read less often

/** Whether a call is due within a minute. */
const isDueSoon = ({ nextAttemptAt }: { readonly nextAttemptAt: string | null }): boolean =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + lookSoonMs

/** The milliseconds until the deliveries are read again. */
export const lookAgainMs = (calls: ReadonlyArray<Parameters<typeof isDueSoon>[0]> | undefined): number =>
  calls?.some(isDueSoon) === true ? lookOftenMs : lookMs

export const useDeliveries = (subscriptionId: string) =>
  useQuery({
    ...procedureQuery("webhooks.deliveries", { subscriptionId, limit: listedMost }),
    refetchInterval: ({ state }) => lookAgainMs(state.data)
  })
