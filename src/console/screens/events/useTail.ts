/**
 * The live list of events as React state. The first rows come from the event log, and later rows come from the stream.
 * New events are collected, so that the browser draws the list only once in each animation frame.
 */
import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useRef, useState } from "react"
import { hubPage } from "../../api/hub.ts"
import { refreshTitle } from "../../api/useRecordTitle.ts"
import { timesOf } from "../../ui/timeRange.ts"
import { followEvents, type PodEvent } from "../../api/stream.ts"
import type { StreamState } from "../../api/streamLoop.ts"
import type { EventsSearch } from "./eventsRoutes.ts"
import { emptyTail, isWanted, showWaitingRows, type Tail, type TailRow, withArrived, withOlder } from "./tail.ts"

const pageRows = 200

/** The kind of metadata in a request to the pod. The pod has no kind `any`, so `any` becomes undefined. */
const kindOf = (kind: EventsSearch["metadataKind"]) => (kind === "any" ? undefined : kind)

/** The query that reads the event log with the filters of the screen. */
export const listingOf = (
  { actorId, metadataKind, source, subjectId, type, workspaceId, ...range }: EventsSearch,
  cursor?: string
) => ({
  query: {
    type,
    source,
    workspaceId,
    subjectId,
    actorId,
    metadataKind: kindOf(metadataKind),
    ...(metadataKind === "any" ? { hasMetadata: true } : {}),
    ...timesOf(range),
    limit: pageRows,
    cursor
  }
})

export interface LiveTail {
  readonly tail: Tail
  readonly state: StreamState
  /** The error of the last read of the log, or of a stream that ended. Undefined if there is no error. */
  readonly error: unknown
  readonly isReading: boolean
  readonly hasOlder: boolean
  readonly readOlder: () => void
  readonly release: () => void
  readonly retry: () => void
}

const initialState = { isReading: true }

// A key is the JSON text of a filter, so the cast is safe.
const filterIn = (key: string) => JSON.parse(key) as EventsSearch

/**
 * Keeps the list of events. `isPaused` returns true while the list must not move, for example because the person has
 * paused it. The hook always calls the `isPaused` of the latest render.
 */
export const useTail = (search: EventsSearch, isPaused: () => boolean): LiveTail => {
  const queries = useQueryClient()
  const [tail, setTail] = useState<Tail>(emptyTail)
  const [state, setState] = useState<StreamState>({ name: "connecting" })
  const [read, setRead] = useState<{ isReading: boolean; next?: string | undefined; error?: unknown }>(initialState)
  const [attempt, setAttempt] = useState(0)
  const { event: _event, tab: _tab, ...filter } = search
  const key = JSON.stringify(filter)
  const latestIsPaused = useRef(isPaused)
  latestIsPaused.current = isPaused

  const readPage = useCallback(
    async (cursor?: string, signal?: AbortSignal) => {
      setRead(initialState)
      try {
        const filter = filterIn(key)
        const { answer: older, next } = await hubPage("GET /api/hub/events", listingOf(filter, cursor), signal)
        setTail((now) => withOlder(now, older))
        setRead({ isReading: false, next })
      } catch (error) {
        if (signal?.aborted !== true) setRead({ isReading: false, next: cursor, error })
      }
    },
    [key]
  )

  useEffect(() => {
    const filter = filterIn(key)
    const firstRead = new AbortController()
    let arrived: Array<TailRow> = []
    let frame = 0
    const draw = () => {
      frame = 0
      const batch = arrived
      arrived = []
      setTail((now) => withArrived(now, batch, latestIsPaused.current()))
    }
    const arrive = (row: TailRow) => {
      arrived.push(row)
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    setTail(emptyTail)
    let isFirst = true
    let gaps = 0
    const { metadataKind, type, workspaceId } = filter
    const stop = followEvents({
      filter: { metadataKind: kindOf(metadataKind), type, workspaceId },
      onEvent: (event: PodEvent) => {
        if (event.subjectId !== undefined) refreshTitle(queries, event.subjectId)
        if (isWanted(filter, event)) arrive({ kind: "event", id: event.id, event })
      },
      onState: (next) => {
        setState(next)
        if (next.name === "connecting") return
        // The console reads the log only after the stream is open. So the list misses no event between the read and the
        // stream. The console also reads the log if the stream cannot be opened.
        if (isFirst) {
          isFirst = false
          void readPage(undefined, firstRead.signal)
        } else if (next.name === "live") {
          arrive({ kind: "gap", id: `gap ${++gaps}`, at: new Date().toISOString(), isMissing: next.isGap })
        }
      }
    })
    return () => {
      stop()
      firstRead.abort()
      cancelAnimationFrame(frame)
    }
  }, [key, readPage, attempt, queries])

  return {
    tail,
    state,
    error: read.error ?? (state.name === "ended" ? state.error : undefined),
    isReading: read.isReading,
    hasOlder: read.next !== undefined,
    readOlder: () => void readPage(read.next),
    release: () => setTail(showWaitingRows),
    retry: () => setAttempt((now) => now + 1)
  }
}
