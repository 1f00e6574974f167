/** Follows the events of the pod as they happen. Only visible screens receive events. */
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { type AnswerOf, type InputOf, requestOf } from "./hub.ts"
import { openStream } from "./openStream.ts"
import type { StreamState, StreamTimes } from "./streamLoop.ts"

export type PodEvent = AnswerOf<"GET /api/hub/events">[number]
type EventFilter = NonNullable<InputOf<"GET /api/hub/events/stream">["query"]>

export interface EventsFollowed {
  /**
   * Selects the events to follow. They begin after the position `since`. If `since` is absent, only new events follow.
   */
  readonly filter?: EventFilter
  /**
   * Called for each event. `position` is the place of the event in the stream. A client continues after this event if
   * it sends the position as `since` or as the header `Last-Event-ID`.
   */
  readonly onEvent: (event: PodEvent, position: string | undefined) => void
  readonly onState?: (state: StreamState) => void
  readonly times?: StreamTimes
}

/** Follows the events until the returned function is called. */
export const followEvents = ({ filter = {}, onEvent, onState, times }: EventsFollowed): (() => void) => {
  const { since, ...rest } = filter
  const { url } = requestOf("GET /api/hub/events/stream", { query: rest })
  return openStream({
    url,
    since: since === undefined ? undefined : String(since),
    onFrame: ({ data, event, id }) => {
      // The pod sends events with their declared schema, so the cast is safe.
      if (event === "event") onEvent(JSON.parse(data) as PodEvent, id)
      return undefined
    },
    onState,
    times
  }).close
}

/**
 * Follows events while the component is mounted, and returns the state of the stream. Each event goes to the `onEvent`
 * of the latest render.
 */
export const useEvents = (onEvent: EventsFollowed["onEvent"], filter: EventFilter = {}): StreamState => {
  const [state, setState] = useState<StreamState>({ name: "connecting" })
  const latest = useRef(onEvent)
  latest.current = onEvent
  const key = JSON.stringify(filter)
  useEffect(
    () =>
      followEvents({
        // `key` is the JSON text of a filter of this type.
        filter: JSON.parse(key) as EventFilter,
        onEvent: (event, position) => latest.current(event, position),
        onState: setState
      }),
    [key]
  )
  return state
}

// Milliseconds. One request writes several events, so the console waits this long and then repeats all stale reads
// together.
const gatherMs = 150
const pollMs = 10_000

/**
 * Makes cached reads stale when an event arrives. `groupsBySubject` maps the first word of an event type, such as
 * `proposal`, to groups of reads, such as `["proposals"]`. The word `*` means every event. Returns the milliseconds
 * between two polls, or false while the stream is live.
 */
export const useFreshReads = (groupsBySubject: Readonly<Record<string, ReadonlyArray<string>>>): number | false => {
  const queries = useQueryClient()
  const stale = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const refresh = () => {
    timer.current = undefined
    // Events can arrive faster than the pod answers, so a running read may end before the next one.
    for (const group of stale.current) void queries.invalidateQueries({ queryKey: [group] }, { cancelRefetch: false })
    stale.current.clear()
  }
  const makeStale = (groups: ReadonlyArray<string>) => {
    for (const group of groups) stale.current.add(group)
    if (stale.current.size > 0) timer.current ??= setTimeout(refresh, gatherMs)
  }
  const state = useEvents(({ type }) =>
    makeStale([...(groupsBySubject["*"] ?? []), ...(groupsBySubject[type.split(".")[0] ?? type] ?? [])])
  )
  const isLive = state.name === "live"
  // The stream never sends the events from before its beginning or from a gap (a time without a connection). So all
  // reads become stale when a stream begins, and after a gap.
  const isBeginning = isLive && (state.isGap || !state.isResumed)
  const latest = useRef(() => {})
  latest.current = () => makeStale(Object.values(groupsBySubject).flat())
  useEffect(() => {
    if (isBeginning) latest.current()
  }, [isBeginning])
  useEffect(() => () => clearTimeout(timer.current), [])
  return isLive ? false : pollMs
}
