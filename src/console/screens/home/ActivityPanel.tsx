/**
 * Shows the latest events, and who caused them. Leaves out the events of notifications and refused calls, which have
 * lists of their own on Home, and the events of a hidden sample.
 */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { onceKnown, useHiddenWorkspaces } from "../../api/hiddenSample.ts"
import { hubQuery } from "../../api/hub.ts"
import { useNames } from "../../api/useNames.ts"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import { EventSubject } from "../events/EventSubject.tsx"
import { subjectNames } from "../events/subjectNames.ts"
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
      <QueryResult what="the latest events" query={onceKnown(hidden.isKnown, events)}>
        {(latest) => {
          const found = latest
            .filter(
              ({ type, workspaceId }) =>
                !type.startsWith("notification.") &&
                type !== "access.refused" &&
                !hidden.ids.includes(workspaceId ?? "")
            )
            .slice(0, activityMax)
          const subjects = subjectNames(latest)
          return found.length === 0 ? (
            <p className="text-muted">
              {isHiding ? "Nothing happened lately outside the hidden sample." : "Nothing happened in the last 7 days."}
            </p>
          ) : (
            <ol className="grid gap-2">
              {found.map((event) => {
                const { actorId, id, source, timestamp, type, workspaceId } = event
                return (
                  <li key={id} className="grid gap-0.5">
                    <span className="flex flex-wrap items-baseline gap-x-2">
                      <Link to="/events" search={{ event: id }}>
                        <code>{type}</code>
                      </Link>
                      <EventSubject event={event} known={subjects} isTypeShown />
                    </span>
                    <span className="text-muted text-xs">
                      {/*
                         The pod itself makes the events with the source `system`. The actor of such an event is the
                         person that the event concerns. */}
                      {source === "system" ? "for" : "by"} {name(actorId)} in {workspace(workspaceId)}
                      {" · "}
                      <Time at={timestamp} />
                    </span>
                  </li>
                )
              })}
            </ol>
          )
        }}
      </QueryResult>
    </Panel>
  )
}
