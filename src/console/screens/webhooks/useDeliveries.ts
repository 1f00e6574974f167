/** The latest deliveries of a webhook. They are read again while one of them waits, because no event tells of a call. */
import { useQuery } from "@tanstack/react-query"
import { procedureQuery } from "../../api/procedures.ts"

const listedMost = 100
export const lookEveryMs = 3_000
const lookSoonMs = 60_000 // a call that is due later is not waited for

/** Whether a call is due within a minute. */
export const isDueSoon = ({ nextAttemptAt }: { readonly nextAttemptAt: string | null }): boolean =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + lookSoonMs

export const useDeliveries = (subscriptionId: string) =>
  useQuery({
    ...procedureQuery("webhooks.deliveries", { subscriptionId, limit: listedMost }),
    refetchInterval: ({ state }) => (state.data?.some(isDueSoon) === true ? lookEveryMs : false)
  })
