/** The latest deliveries of a webhook. They are read again while one of them waits, because no event tells of a call. */
import { useQuery } from "@tanstack/react-query"
import { procedureQuery } from "../../api/procedures.ts"

const listedMost = 100
const lookEveryMs = 3_000
const lookSoonMs = 60_000 // a call that is due later is not waited for

export const useDeliveries = (subscriptionId: string) =>
  useQuery({
    ...procedureQuery("webhooks.deliveries", { subscriptionId, limit: listedMost }),
    refetchInterval: ({ state }) => {
      const soon = Date.now() + lookSoonMs
      const isSoon = state.data?.some(
        ({ nextAttemptAt, status }) =>
          status === "pending" && (nextAttemptAt === null || Date.parse(nextAttemptAt) < soon)
      )
      return isSoon === true ? lookEveryMs : false
    }
  })
