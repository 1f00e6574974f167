/**
 * The page of events, which shows live what happens in the pod. A person can open an event to see the other events of
 * its request, its causes, and the decision about it.
 */
import { useRef, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { NoMatch } from "../../ui/NoMatch.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { useShortcuts } from "../../shell/shortcuts.ts"
import { useDrawer } from "../../ui/useDrawer.ts"
import { EventDetail } from "./EventDetail.tsx"
import { isFiltered, noFilters } from "./eventFilterValues.ts"
import { EventFilters } from "./EventFilters.tsx"
import { eventsRoute, type EventsSearch } from "./eventsRoutes.ts"
import { StreamNote } from "./StreamNote.tsx"
import { TailRows } from "./TailRows.tsx"
import { listingOf, useTail } from "./useTail.ts"

// A person who has scrolled down by more than this many pixels is reading, so the list must not move.
const topPx = 4

export const EventsPage = () => {
  const search = eventsRoute.useSearch()
  const navigate = eventsRoute.useNavigate()
  const scroller = useRef<HTMLDivElement>(null)
  const isHovered = useRef(false)
  const [isPaused, setPaused] = useState(false)
  const isRead = () => {
    const list = scroller.current
    const focused = document.activeElement
    return list !== null && (list.scrollTop > topPx || (focused !== list && list.contains(focused)))
  }
  const live = useTail(search, () => isPaused || isHovered.current || isRead())
  const { error, hasOlder, isReading, readOlder, release, retry, state, tail } = live
  const change = (part: Partial<EventsSearch>) => void navigate({ search: (now) => ({ ...now, ...part }) })
  const drawer = useDrawer()
  const events = tail.rows.flatMap((row) => (row.kind === "event" ? [row.event] : []))
  const at = events.findIndex(({ id }) => id === search.event)
  const go = (step: number) => {
    const next = events[at === -1 ? 0 : at + step]
    if (next === undefined) return
    if (search.event === undefined) drawer.open({ event: next.id })
    else drawer.show({ event: next.id })
  }
  useShortcuts([
    { keys: "j", does: "Open the next event", run: () => go(1) },
    { keys: "k", does: "Open the previous event", run: () => go(-1) },
    { keys: "p", does: "Pause or resume the live list", run: () => setPaused(!isPaused) }
  ])
  const showNew = () => {
    setPaused(false)
    scroller.current?.scrollTo({ top: 0 })
    scroller.current?.focus()
    release()
  }
  return (
    <Page
      title="Events"
      about="Everything that happens to your records, by you and your agents, as it happens."
      calls={[
        { route: "GET /api/hub/events", input: listingOf(search) },
        {
          route: "GET /api/hub/events/stream",
          input: { query: { type: search.type, workspaceId: search.workspaceId, metadataKind: search.metadataKind } }
        }
      ]}
      actions={
        <Button aria-pressed={isPaused} onClick={() => (isPaused ? showNew() : setPaused(true))}>
          {isPaused ? "Resume" : "Pause"}
        </Button>
      }
    >
      <EventFilters search={search} onChange={change} />
      {error !== undefined && <ErrorBox error={error} onRetry={retry} />}
      {/*
         While the pointer is over this area, the list does not move. The area also contains the button that shows
         new events. */}
      <div
        className="grid min-w-0 gap-4"
        onPointerEnter={() => {
          isHovered.current = true
        }}
        onPointerLeave={() => {
          isHovered.current = false
          if (!isPaused && !isRead()) release()
        }}
      >
        <div className="flex min-h-9 flex-wrap items-center gap-3">
          <StreamNote state={state} />
          <span className="text-muted">
            {tail.rows.length} {tail.rows.length === 1 ? "event" : "events"} shown
          </span>
          {tail.waitingRows.length > 0 && (
            <Button kind="primary" onClick={showNew}>
              {tail.waitingRows.length} new
            </Button>
          )}
        </div>
        <div
          ref={scroller}
          tabIndex={0}
          role="region"
          aria-label="Events"
          className="border-line bg-panel h-[65dvh] min-h-72 overflow-y-auto rounded-lg border"
          onScroll={() => {
            if (!isPaused && !isHovered.current && !isRead()) release()
          }}
        >
          {tail.rows.length === 0 ? (
            <div className="p-3">
              {isReading ? (
                <p role="status" className="text-muted">
                  Reading your log …
                </p>
              ) : isFiltered(search) ? (
                <NoMatch one="event" many="events" onClear={() => change(noFilters)}>
                  {search.since === undefined && search.last === undefined && (
                    <p>The list begins 7 days ago. Choose a longer time to see more.</p>
                  )}
                </NoMatch>
              ) : (
                <Empty title="Nothing happened in the last 7 days.">
                  <p>New events appear here automatically. Choose a longer time to see older events.</p>
                </Empty>
              )}
            </div>
          ) : (
            <TailRows rows={tail.rows} chosen={search.event} scroller={scroller} />
          )}
        </div>
      </div>
      {hasOlder && (
        <div>
          <Button isBusy={isReading} onClick={readOlder}>
            Show older events
          </Button>
        </div>
      )}
      <Dialog
        title="Event"
        shape="drawer"
        isOpen={search.event !== undefined}
        onClose={() => drawer.close({ event: undefined, tab: undefined })}
      >
        {search.event !== undefined && (
          <EventDetail key={search.event} id={search.event} tab={search.tab} onTab={(tab) => drawer.show({ tab })} />
        )}
      </Dialog>
    </Page>
  )
}
