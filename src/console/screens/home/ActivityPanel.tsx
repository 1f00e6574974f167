/** Shows the latest events, and who caused them. Leaves out the events of a hidden sample. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useHiddenWorkspaces } from "../../api/hiddenSample.ts"
import { hubQuery } from "../../api/hub.ts"
import { useNames } from "../../api/useNames.ts"
import { Panel } from "../../ui/Page.tsx"
import { Shown } from "../../ui/Shown.tsx"
import { Time } from "../../ui/Time.tsx"
import { activityInput, activityMax, widerActivityInput } from "./homeReads.ts"

export const ActivityPanel = () => {
  const hidden = useHiddenWorkspaces()
  const isHiding = hidden.ids.length > 0
  const events = useQuery({
    ...hubQuery("GET /api/hub/events", isHiding ? widerActivityInput : activityInput),
    enabled: hidden.isKnown
  })
  const { name, workspace } = useNames()
  return (
    <Panel title="Activity" actions={<Link to="/events">All events</Link>}>
      <Shown what="the latest events" query={events}>
        {(latest) => {
          const found = latest
            .filter(({ workspaceId }) => !hidden.ids.includes(workspaceId ?? ""))
            .slice(0, activityMax)
          return found.length === 0 ? (
            <p className="text-muted">
              {isHiding ? "Nothing happened lately outside the hidden sample." : "Nothing happened in the last 7 days."}
            </p>
          ) : (
            <ol className="grid gap-1">
              {found.map(({ actorId, id, source, timestamp, type, workspaceId }) => (
                <li key={id} className="flex flex-wrap gap-x-2">
                  <code>{type}</code>
                  <span className="text-muted">
                    {/*
                       The pod itself makes the events with the source `system`. The actor of such an event is the
                       person that the event concerns. */}
                    {source === "system" ? "for" : "by"} {name(actorId)} in {workspace(workspaceId)}
                  </span>
                  <Time at={timestamp} />
                </li>
              ))}
            </ol>
          )
        }}
      </Shown>
    </Panel>
  )
}
