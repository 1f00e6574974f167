/** Sends a streamed operation as server-sent events (the event stream format of the HTML standard). */
import type { Batch } from "../doors/Batch.ts"
import type { Outcome } from "../doors/Call.ts"
import type { Failure } from "../doors/Failure.ts"
import type { StreamEnd, StreamReader } from "../doors/Streams.ts"
import { type Exchange, noteOutcome } from "./Exchange.ts"

export interface StreamTimes {
  /**
   * The milliseconds between two heartbeats. Heartbeats stop proxies from closing an idle connection, and show the
   * client that the pod still runs.
   */
  readonly heartbeatMs: number
  /** If a reader leaves a batch unread for this many milliseconds, the pod closes the connection. */
  readonly patienceMs: number
}

export const standardTimes: StreamTimes = { heartbeatMs: 30_000, patienceMs: 60_000 }

/** Writes a stream as server-sent events. Each function returns one or more whole events as text. */
export interface StreamFormat {
  readonly headers: Readonly<Record<string, string>>
  /**
   * Returns the first text of a stream. This text contains the position at which the stream begins. A reader that is
   * disconnected before the first item can continue at this position and misses nothing.
   */
  readonly opened: (from: string) => string
  readonly batch: (batch: Batch<unknown>) => string
  readonly heartbeat: string
  /**
   * Returns the last text of a stream that the pod ends because of a refusal. Returns an empty text if the pod only
   * closes the connection.
   */
  readonly refused: (refusal: Failure) => string
}

const heartbeat = "event: heartbeat\ndata: {}\n\n"

export const eventHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no"
}

/** The format of streams over REST. */
export const eventFormat: StreamFormat = {
  headers: eventHeaders,
  opened: (from) => `id: ${from}\n${heartbeat}`,
  batch: ({ items }) =>
    items.map(({ position, value }) => `id: ${position}\nevent: event\ndata: ${JSON.stringify(value)}\n\n`).join(""),
  heartbeat,
  refused: () => ""
}

/**
 * Returns the last id that the caller received. The stream continues after this position. Browsers send this id in the
 * header `Last-Event-ID` automatically.
 */
export const lastPosition = ({ headers }: Exchange["request"]): string | undefined => {
  const last = headers["last-event-id"]
  return typeof last === "string" && last !== "" ? last : undefined
}

/**
 * Sends a stream as the answer to a request. `follow` opens the stream and returns the function that ends it. `refuse`
 * sends a refusal in the usual form of this surface.
 */
export const sendStream = (
  exchange: Exchange,
  { heartbeatMs, patienceMs }: StreamTimes,
  format: StreamFormat,
  refuse: (outcome: Outcome) => void,
  follow: (reader: StreamReader) => () => void
): void => {
  const { note, request, response, stopping } = exchange
  const streamNote: { events: number; ended: StreamEnd } = { events: 0, ended: "left" }
  const finish = (reason: StreamEnd, last = "") => {
    streamNote.ended = reason
    // A reader that has left events unread would not read a last message either. So the pod closes the connection at
    // once.
    if (response.writableNeedDrain) response.destroy()
    else response.end(last)
  }
  const stop = () => finish("stopped")
  // All batches share one listener, because a long stream can wait for its reader many times, and a listener for each
  // wait would use memory.
  let stallTimer: NodeJS.Timeout | undefined
  const leave = follow({
    refused: refuse,
    opened: (outcome, from) => {
      noteOutcome(exchange, outcome)
      note.stream = streamNote
      response.writeHead(200, format.headers)
      if (request.method === "HEAD" || stopping.aborted) return stop()
      response.write(format.opened(from))
      const heartbeatTimer = setInterval(
        () => void (response.writableNeedDrain || response.write(format.heartbeat)),
        heartbeatMs
      )
      stopping.addEventListener("abort", stop)
      response.once("close", () => {
        clearInterval(heartbeatTimer)
        clearTimeout(stallTimer)
        stopping.removeEventListener("abort", stop)
      })
    },
    send: (batch, onTaken) => {
      streamNote.events += batch.items.length
      if (response.write(format.batch(batch))) return onTaken()
      stallTimer = setTimeout(() => {
        streamNote.ended = "slow"
        response.destroy()
      }, patienceMs)
      response.once("drain", () => {
        clearTimeout(stallTimer)
        onTaken()
      })
    },
    ended: (reason, refusal) => finish(reason, format.refused(refusal))
  })
  response.once("close", leave)
}
