/** Reads the events of a proposal, and finds the event with which it was made. */
import { useQuery } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import type { ProposalWhole } from "./inboxText.ts"

const eventsMax = 50
// Milliseconds. The event of a new proposal can be older than the row of the proposal, by at most this time.
const clockMs = 60_000

export const useProposalEvents = ({ createdAt, id }: Pick<ProposalWhole, "createdAt" | "id">) => {
  const fromDate = new Date(Date.parse(createdAt) - clockMs).toISOString()
  const events = useQuery(hubQuery("GET /api/hub/events", { query: { subjectId: id, fromDate, limit: eventsMax } }))
  return { events, filed: events.data?.find(({ type }) => type === "proposal.create") }
}
