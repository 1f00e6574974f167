/**
 * The rows of the live list of events. The browser draws only the rows in view, so thousands of events cost no more
 * than twenty.
 */
import { useVirtualizer } from "@tanstack/react-virtual"
import { Link } from "@tanstack/react-router"
import { type RefObject, useMemo } from "react"
import { type Names, useNames } from "../../api/useNames.ts"
import { Badge } from "../../ui/Badge.tsx"
import type { PodEvent } from "../../api/stream.ts"
import { drawerLink } from "../../ui/useDrawer.ts"
import { EventSubject } from "./EventSubject.tsx"
import { subjectNames } from "./subjectNames.ts"
import type { TailRow } from "./tail.ts"

// The height of a row in pixels. Every row has two lines.
const rowHeight = 56

const verdictTones = { allow: "good", propose: "warn", deny: "bad" } as const

/** The time of day of an event. An event of another day also gets its date. */
const clock = (at: string): string => {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  return isToday ? date.toLocaleTimeString() : date.toLocaleString()
}

interface EventRowProps {
  readonly event: PodEvent
  readonly isChosen: boolean
  readonly name: Names
  /** The names that the events of the list have for their records. */
  readonly subjects: ReadonlyMap<string, string>
}

const EventRow = ({ event, isChosen, name, subjects }: EventRowProps) => (
  <Link
    to="/events"
    search={(now) => ({ ...now, event: event.id })}
    {...drawerLink}
    preload={false}
    className={`text-text hover:bg-accent-soft grid h-full content-center px-3 no-underline ${isChosen ? "bg-chosen" : ""}`}
    {...(isChosen ? { "aria-current": "true" } : {})}
  >
    <span className="flex min-w-0 items-center gap-2 whitespace-nowrap">
      <span className="min-w-0 truncate">
        <code>{event.type}</code> <EventSubject event={event} known={subjects} isTypeShown />
      </span>
      {event.decision !== undefined && (
        <Badge tone={verdictTones[event.decision.verdict]}>{event.decision.verdict}</Badge>
      )}
    </span>
    <span className="text-muted truncate">
      <time dateTime={event.timestamp}>{clock(event.timestamp)}</time> · {event.source} · {name(event.actorId)}
    </span>
  </Link>
)

const GapRow = ({ at, isMissing }: { readonly at: string; readonly isMissing: boolean }) => (
  <p className="bg-warn-soft text-warn grid h-full content-center px-3">
    <span className="font-medium">The stream broke, and was opened again at {clock(at)}.</span>
    <span className="truncate">
      {isMissing ? "Events in between may be missing here, but the log has them." : "No event is missing here."}
    </span>
  </p>
)

interface TailRowsProps {
  readonly rows: ReadonlyArray<TailRow>
  readonly chosen: string | undefined
  readonly scroller: RefObject<HTMLDivElement | null>
}

export const TailRows = ({ chosen, rows, scroller }: TailRowsProps) => {
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
    useFlushSync: false
  })
  const events = useMemo(() => rows.flatMap((row) => (row.kind === "event" ? [row.event] : [])), [rows])
  const subjects = useMemo(() => subjectNames(events), [events])
  const { name } = useNames()
  return (
    <ul className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index]
        return row === undefined ? null : (
          <li
            key={key}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            className="border-line absolute top-0 right-0 left-0 border-b"
            style={{ height: rowHeight, transform: `translateY(${start}px)` }}
          >
            {row.kind === "event" ? (
              <EventRow event={row.event} isChosen={row.id === chosen} name={name} subjects={subjects} />
            ) : (
              <GapRow {...row} />
            )}
          </li>
        )
      })}
    </ul>
  )
}
