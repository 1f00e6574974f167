/**
 * Keeps one stream of the pod open while its tab is visible. The streams of REST and the subscriptions of procedures
 * use it.
 */
import { noticedRefusal, sessionHeaders } from "./hub.ts"
import { Refusal } from "./refusal.ts"
import { followStream, type StreamParts, type StreamState, type StreamTimes, type Verdict } from "./streamLoop.ts"

export interface StreamOpened {
  readonly url: string
  /** The stream begins after this position. If it is absent, only new items follow. */
  readonly since: string | undefined
  readonly onFrame: StreamParts["onFrame"]
  readonly onState: ((state: StreamState) => void) | undefined
  readonly times: StreamTimes | undefined
}

export interface OpenStream {
  readonly close: () => void
  /** Opens the stream again after its last item, if the console has given it up. */
  readonly reopen: () => void
}

/** Says what to do after the pod has refused a stream. */
export const verdictOn = (refusal: Refusal): Verdict => {
  const { status } = refusal
  // The pod refuses a position that its log does not have, for example after somebody restored a backup. A second call
  // with this position would fail too.
  const isPosition = status === 400 || status === 409 || status === 422
  const isForNow = status >= 500 || status === 429
  return { kind: isPosition ? "restart" : isForNow ? "again" : "end", error: noticedRefusal(refusal) }
}

const refusedBy = async (response: Response): Promise<Verdict> => {
  const body: unknown = await response.json().catch(() => ({}))
  return verdictOn(new Refusal(response.status, typeof body === "object" && body !== null ? { ...body } : {}))
}

/**
 * Opens a stream. A hidden tab closes its connection, because a browser allows only six connections to one pod. When
 * the tab is visible again, the stream continues after its last item. If the console has given up the stream, the
 * stream starts again when the network is back or the person returns to the tab.
 */
export const openStream = ({ onFrame, onState, since, times, url }: StreamOpened): OpenStream => {
  let lastId = since
  let running: AbortController | undefined

  const start = () => {
    if (running !== undefined || document.visibilityState === "hidden") return
    const mine = new AbortController()
    running = mine
    const loop = followStream(
      {
        connect: (id, signal) =>
          fetch(url, {
            headers: {
              ...sessionHeaders(),
              accept: "text/event-stream",
              ...(id === undefined ? {} : { "last-event-id": id })
            },
            credentials: "omit",
            cache: "no-store",
            signal
          }),
        refused: refusedBy,
        onFrame: (frame) => {
          lastId = frame.id ?? lastId
          return onFrame(frame)
        },
        onState: (state) => onState?.(state),
        since: lastId,
        ...(times === undefined ? {} : { times })
      },
      mine.signal
    )
    void loop.finally(() => {
      if (running === mine) running = undefined
    })
  }
  const stop = () => {
    running?.abort()
    running = undefined
  }
  const seen = () => (document.visibilityState === "hidden" ? stop() : start())
  document.addEventListener("visibilitychange", seen)
  addEventListener("online", start)
  start()
  return {
    close: () => {
      document.removeEventListener("visibilitychange", seen)
      removeEventListener("online", start)
      stop()
    },
    reopen: start
  }
}
