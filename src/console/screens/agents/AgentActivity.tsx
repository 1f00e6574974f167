/** Shows the activity of an agent: its proposals, and the latest events that it caused. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hubQuery } from "../../api/hub.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Shown } from "../../ui/Shown.tsx"
import { Time } from "../../ui/Time.tsx"
import { statusNames } from "../inbox/inboxText.ts"

const pageSize = 100
// Each line of a list may need several rows on a narrow screen, so a rule separates the lines.
const listClass = "divide-line grid divide-y"
const lineClass = "flex flex-wrap items-center gap-x-2 gap-y-0.5 py-1.5"

export const AgentActivity = ({ agentId }: { readonly agentId: string }) => {
  const proposals = useQuery(
    hubQuery("GET /api/hub/proposals", { query: { actorId: agentId, status: "all", view: "basic", limit: pageSize } })
  )
  const events = useQuery(hubQuery("GET /api/hub/events", { query: { actorId: agentId, limit: pageSize } }))
  return (
    <div className="grid gap-4">
      <section className="grid gap-2">
        <h3 className="font-semibold">Proposals</h3>
        <Shown what="the proposals" query={proposals}>
          {({ proposals: mine, total }) =>
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
                {total > mine.length && <li className="text-muted py-1.5">and {total - mine.length} older ones</li>}
              </ul>
            )
          }
        </Shown>
      </section>
      <section className="grid gap-2">
        <h3 className="font-semibold">Events of the last 7 days</h3>
        <Shown what="the events" query={events}>
          {(mine) =>
            mine.length === 0 ? (
              <p className="text-muted">None.</p>
            ) : (
              <ul className={listClass}>
                {mine.map(({ decision, id, timestamp, type }) => (
                  <li key={id} className={lineClass}>
                    <Link to="/events" search={{ event: id }} className="font-mono text-xs">
                      {type}
                    </Link>
                    {decision !== undefined && (
                      <span className="text-muted">
                        {decision.verdict}, by the rule {decision.rung}
                      </span>
                    )}
                    <Time at={timestamp} />
                  </li>
                ))}
                {mine.length === pageSize && <li className="text-muted py-1.5">the latest {pageSize}</li>}
              </ul>
            )
          }
        </Shown>
      </section>
    </div>
  )
}
