/** The live tail as state of a screen: the log until now, then the stream, batched so that each frame draws once. */
import { useCallback, useEffect, useRef, useState } from "react"
import { type AnswerOf, hub } from "../../api/hub.ts"
import { followEvents, type PodEvent } from "../../api/stream.ts"
import type { StreamState } from "../../api/streamLoop.ts"
import type { EventsSearch } from "./eventsRoutes.ts"
import { emptyTail, isWanted, released, type Tail, type TailRow, withArrived, withOlder } from "./tail.ts"

const pageRows = 200

/** The listing with the filters of the screen; further pages by offset. */
export const listingOf = ({ metadataKind, since, source, subjectId, type, workspaceId }: EventsSearch, offset = 0) => ({
  query: {
    type,
    source,
    workspaceId,
    subjectId,
    metadataKind,
    ...(since === undefined ? {} : { fromDate: `${since}T00:00:00Z` }),
    limit: pageRows,
    ...(offset === 0 ? {} : { offset })
  }
})

export interface LiveTail {
  readonly tail: Tail
  readonly state: StreamState
  /** The first read of the log; further events arrive by themselves. */
  readonly error: unknown
  readonly isReading: boolean
  readonly hasOlder: boolean
  readonly readOlder: () => void
  readonly release: () => void
  readonly retry: () => void
}

const reading = { isReading: true, hasOlder: false }

/** New events move the older ones on in the listing, so its next page begins after everything that is known. */
const eventsIn = ({ held, rows }: Tail) => [...held, ...rows].filter(({ kind }) => kind === "event").length

/** `isHeld` says whether the list is paused. The function of the latest render is called. */
export const useTail = (search: EventsSearch, isHeld: () => boolean): LiveTail => {
  const [tail, setTail] = useState<Tail>(emptyTail)
  const [state, setState] = useState<StreamState>({ name: "connecting" })
  const [read, setRead] = useState<{ isReading: boolean; hasOlder: boolean; error?: unknown }>(reading)
  const [attempt, setAttempt] = useState(0)
  const { event: _, ...filter } = search
  const key = JSON.stringify(filter)
  const held = useRef(isHeld)
  held.current = isHeld

  const readPage = useCallback(
    async (offset: number, signal?: AbortSignal) => {
      setRead(reading)
      try {
        const wanted = JSON.parse(key) as EventsSearch
        const older: AnswerOf<"GET /api/hub/events"> = await hub(
          "GET /api/hub/events",
          listingOf(wanted, offset),
          signal
        )
        setTail((now) => withOlder(now, older))
        setRead({ isReading: false, hasOlder: older.length === pageRows })
      } catch (error) {
        if (signal?.aborted !== true) setRead({ isReading: false, hasOlder: offset > 0, error })
      }
    },
    [key]
  )

  useEffect(() => {
    const wanted = JSON.parse(key) as EventsSearch
    const firstRead = new AbortController()
    let arrived: Array<TailRow> = []
    let frame = 0
    const draw = () => {
      frame = 0
      const batch = arrived
      arrived = []
      setTail((now) => withArrived(now, batch, held.current()))
    }
    const arrive = (row: TailRow) => {
      arrived.push(row)
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    setTail(emptyTail)
    let isFirst = true
    let gaps = 0
    const { metadataKind, type, workspaceId } = wanted
    const stop = followEvents({
      filter: { metadataKind, type, workspaceId },
      onEvent: (event: PodEvent) => {
        if (isWanted(wanted, event)) arrive({ kind: "event", id: event.id, event })
      },
      onState: (next) => {
        setState(next)
        if (next.name === "connecting") return
        // The log is read once the stream is open, so that no event falls between the two; or where it cannot be opened.
        if (isFirst) {
          isFirst = false
          void readPage(0, firstRead.signal)
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
  }, [key, readPage, attempt])

  return {
    tail,
    state,
    error: read.error ?? (state.name === "ended" ? state.error : undefined),
    isReading: read.isReading,
    hasOlder: read.hasOlder,
    readOlder: () => void readPage(eventsIn(tail)),
    release: () => setTail(released),
    retry: () => setAttempt((now) => now + 1)
  }
}
