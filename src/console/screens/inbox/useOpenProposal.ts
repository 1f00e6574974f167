/** Reads the open proposal, and whether a decision about it waits to be sent. */
import { useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { hubQuery } from "../../api/hub.ts"
import { useDecisions } from "./decisions.ts"
import { markSeen } from "./seen.ts"

export const useOpenProposal = (id: string | undefined) => {
  const { decided } = useDecisions()
  const query = useQuery({
    ...hubQuery("GET /api/hub/proposals/:id", { params: { id: id ?? "" } }),
    enabled: id !== undefined
  })
  const read = query.data?.id
  useEffect(() => {
    if (read !== undefined) markSeen(read)
  }, [read])
  return { query, isDecided: id !== undefined && decided.has(id) }
}
