/**
 * Shows the events of one request, the earliest event first. At first it shows only the latest page of events, and a
 * button shows earlier events.
 */
import { useInfiniteQuery } from "@tanstack/react-query"
import { pagesQuery } from "../../api/everyPage.ts"
import { hubPage } from "../../api/hub.ts"
import type { PodEvent } from "../../api/stream.ts"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { EventLine } from "./EventLine.tsx"

const threadAtOnce = 200

export const EventThread = ({ event }: { readonly event: PodEvent }) => {
  const { correlationId } = event
  const thread = useInfiniteQuery(
    pagesQuery<PodEvent>(["events", "GET /api/hub/events", "thread", correlationId], {
      atOnce: threadAtOnce,
      read: (page, signal) =>
        hubPage("GET /api/hub/events", { query: { correlationId, fromDate: "1970-01-01T00:00:00Z", ...page } }, signal)
    })
  )
  return (
    <QueryResult what="the events of the request" query={thread}>
      {(events) => (
        <div className="grid gap-2">
          <p className="text-muted">
            {events.length === 1 ? "One event" : `${events.length} events`} of the request <code>{correlationId}</code>
            {thread.hasNextPage && ", the latest of them"}
          </p>
          <ShowMore what="earlier events" query={thread} />
          <ol aria-label="Events of the request" className="grid list-decimal gap-1 pl-6">
            {events.toReversed().map((each) => (
              <li key={each.id}>
                <EventLine event={each} isShown={each.id === event.id} />
              </li>
            ))}
          </ol>
        </div>
      )}
    </QueryResult>
  )
}
