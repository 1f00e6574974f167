/** Shows the activity of an agent: its proposals, and the latest events that it caused. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { pagesQuery } from "../../api/everyPage.ts"
import { hubPage } from "../../api/hub.ts"
import type { PodEvent } from "../../api/stream.ts"
import { Badge } from "../../ui/Badge.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import { EventSubject } from "../events/EventSubject.tsx"
import { subjectNames } from "../events/subjectNames.ts"
import { type ProposalRow, statusNames } from "../inbox/inboxText.ts"

const atOnce = 100
// On a narrow screen, an entry of the list can need several lines. So a thin border separates the entries.
const listClass = "divide-line grid divide-y"
const lineClass = "flex flex-wrap items-center gap-x-2 gap-y-0.5 py-1.5"

export const AgentActivity = ({ agentId }: { readonly agentId: string }) => {
  const proposals = useInfiniteQuery(
    pagesQuery<ProposalRow>(["proposals", "GET /api/hub/proposals", "agent", agentId], {
      atOnce,
      read: async (page, signal) => {
        const query = { actorId: agentId, status: "all", view: "basic", ...page } as const
        const { answer, next } = await hubPage("GET /api/hub/proposals", { query }, signal)
        return { answer: answer.proposals, next }
      }
    })
  )
  const events = useInfiniteQuery(
    pagesQuery<PodEvent>(["events", "GET /api/hub/events", "agent", agentId], {
      atOnce,
      read: (page, signal) => hubPage("GET /api/hub/events", { query: { actorId: agentId, ...page } }, signal)
    })
  )
  const subjects = subjectNames(events.data ?? [])
  return (
    <div className="grid gap-4">
      <section className="grid gap-2">
        <h3 className="font-semibold">Proposals</h3>
        <QueryResult what="the proposals" query={proposals}>
          {(mine) =>
            mine.length === 0 ? (
              <p className="text-muted">None yet.</p>
            ) : (
              <ul className={listClass}>
                {mine.map(({ createdAt, id, status, summary }) => (
                  <li key={id} className={lineClass}>
                    <Badge tone={status === "pending" ? "warn" : "plain"}>{statusNames[status]}</Badge>
                    <Link to="/inbox/$id" params={{ id }}>
                      {summary}
                    </Link>
                    <Time at={createdAt} />
                  </li>
                ))}
              </ul>
            )
          }
        </QueryResult>
        <ShowMore what="proposals" query={proposals} />
      </section>
      <section className="grid gap-2">
        <h3 className="font-semibold">Events of the last 7 days</h3>
        <QueryResult what="the events" query={events}>
          {(mine) =>
            mine.length === 0 ? (
              <p className="text-muted">None.</p>
            ) : (
              <ul className={listClass}>
                {mine.map((event) => (
                  <li key={event.id} className={lineClass}>
                    <Link to="/events" search={{ event: event.id }} className="font-mono text-xs">
                      {event.type}
                    </Link>
                    <EventSubject event={event} known={subjects} />
                    {event.decision !== undefined && (
                      <span className="text-muted">
                        {event.decision.verdict}, by the rule {event.decision.rung}
                      </span>
                    )}
                    <Time at={event.timestamp} />
                  </li>
                ))}
              </ul>
            )
          }
        </QueryResult>
        <ShowMore what="events" query={events} />
      </section>
    </div>
  )
}
