/** Shows all events of one request, in their order. */
import { useQuery } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import type { PodEvent } from "../../api/stream.ts"
import { Shown } from "../../ui/Shown.tsx"
import { EventLine } from "./EventLine.tsx"

const threadMost = 200

export const EventThread = ({ event }: { readonly event: PodEvent }) => {
  const { correlationId } = event
  const thread = useQuery(
    hubQuery("GET /api/hub/events", {
      query: { correlationId, fromDate: "1970-01-01T00:00:00Z", limit: threadMost }
    })
  )
  return (
    <Shown what="the thread" query={thread}>
      {(events) => (
        <div className="grid gap-2">
          <p className="text-muted">
            {events.length === 1 ? "One event" : `${events.length} events`} of the request <code>{correlationId}</code>
            {events.length === threadMost && ", the latest of them"}
          </p>
          <ol aria-label="Thread" className="grid list-decimal gap-1 pl-6">
            {events.toReversed().map((each) => (
              <li key={each.id}>
                <EventLine event={each} isShown={each.id === event.id} />
              </li>
            ))}
          </ol>
        </div>
      )}
    </Shown>
  )
}
