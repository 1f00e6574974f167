/** Shows one event of a request or of a tree of causes: its type as a link that opens the event, its record and its time. */
import { Link } from "@tanstack/react-router"
import type { PodEvent } from "../../api/stream.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Time } from "../../ui/Time.tsx"
import { furtherLink } from "../../ui/useDrawer.ts"
import { EventSubject } from "./EventSubject.tsx"

export const EventLine = ({ event, isShown }: { readonly event: PodEvent; readonly isShown: boolean }) => (
  <span className="flex flex-wrap items-center gap-2">
    {isShown ? (
      <strong>{event.type}</strong>
    ) : (
      <Link to="/events" search={(now) => ({ ...now, event: event.id })} {...furtherLink} preload={false}>
        {event.type}
      </Link>
    )}
    {isShown && <Badge tone="accent">this event</Badge>}
    {event.decision?.verdict === "deny" && <Badge tone="bad">deny</Badge>}
    <EventSubject event={event} isTypeShown />
    <span className="text-muted">
      <Time at={event.timestamp} />
    </span>
  </span>
)
