/** Sends a streamed operation as server-sent events (the event stream format of the HTML standard). */
import type { Batch } from "../doors/Batch.ts"
import type { Outcome } from "../doors/Call.ts"
import type { StreamEnd, StreamReader } from "../doors/Streams.ts"
import { type Exchange, noteOutcome } from "./Exchange.ts"

export interface StreamTimes {
  /** The time between two heartbeats. They keep proxies from closing an idle connection, and show that the pod is there. */
  readonly heartbeatMs: number
  /** How long a reader may leave a batch unread before the pod closes the connection. */
  readonly patienceMs: number
}

export const standardTimes: StreamTimes = { heartbeatMs: 30_000, patienceMs: 60_000 }

const heartbeat = "event: heartbeat\ndata: {}\n\n"

const framesOf = ({ items }: Batch<unknown>): string =>
  items.map(({ position, value }) => `id: ${position}\nevent: event\ndata: ${JSON.stringify(value)}\n\n`).join("")

/** The position from which the caller goes on: the last id that it received, which browsers send by themselves. */
export const lastPosition = ({ request }: Exchange): string | undefined => {
  const last = request.headers["last-event-id"]
  return typeof last === "string" && last !== "" ? last : undefined
}

/**
 * The reader of an exchange. `refuse` answers a refusal as every operation does. `follow` opens the stream and returns the
 * function that ends it.
 */
export const sendStream = (
  exchange: Exchange,
  { heartbeatMs, patienceMs }: StreamTimes,
  refuse: (outcome: Outcome) => void,
  follow: (reader: StreamReader) => () => void
): void => {
  const { note, request, response, stopping } = exchange
  const told = { events: 0, ended: "left" as StreamEnd }
  const finish = (reason: StreamEnd) => {
    told.ended = reason
    // A reader that does not take what was sent would not take the end either.
    if (response.writableNeedDrain) response.destroy()
    else response.end()
  }
  const stop = () => finish("stopped")
  const leave = follow({
    refused: refuse,
    opened: (outcome, from) => {
      noteOutcome(exchange, outcome)
      note.stream = told
      response.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no"
      })
      if (request.method === "HEAD" || stopping.aborted) return stop()
      // The reader can go on from here even if it loses the connection before the first event.
      response.write(`id: ${from}\n${heartbeat}`)
      const beat = setInterval(() => void (response.writableNeedDrain || response.write(heartbeat)), heartbeatMs)
      stopping.addEventListener("abort", stop)
      response.once("close", () => {
        clearInterval(beat)
        stopping.removeEventListener("abort", stop)
      })
    },
    send: (batch, taken) => {
      told.events += batch.items.length
      if (response.write(framesOf(batch))) return taken()
      const cut = setTimeout(() => {
        told.ended = "slow"
        response.destroy()
      }, patienceMs)
      response.once("close", () => clearTimeout(cut))
      response.once("drain", () => {
        clearTimeout(cut)
        taken()
      })
    },
    ended: finish
  })
  response.once("close", leave)
}
