/**
 * Keeps a stream of server-sent events open. It reads the events, reconnects when the connection breaks, and continues
 * after the last id.
 */
import { createParser } from "eventsource-parser"

export interface StreamFrame {
  /** The event name of the server-sent event, such as `event` or `heartbeat`. */
  readonly event: string | undefined
  /** The id of this server-sent event. A client sends it as `Last-Event-ID` to continue after this event. */
  readonly id: string | undefined
  readonly data: string
}

/**
 * `live`: the connection is open. `waiting`: the connection broke, and the console connects again at the time `again`.
 * `ended`: the console no longer tries to connect.
 */
export type StreamState =
  | { readonly name: "connecting" }
  | { readonly name: "live"; readonly isResumed: boolean; readonly isGap: boolean }
  | { readonly name: "waiting"; readonly again: number }
  | { readonly name: "ended"; readonly error: unknown }

/**
 * What to do after the pod has refused a connection. `end`: give up. `again`: try again later. `restart`: follow only
 * new events, because the pod does not have the position in its log.
 */
export type Verdict = { readonly kind: "end" | "again" | "restart"; readonly error: unknown }

export interface StreamParts {
  /**
   * Opens the stream after the server-sent event with the id `lastId`. If the stream cannot be opened, the promise
   * rejects, or the response has a status of 400 or more.
   */
  readonly connect: (lastId: string | undefined, signal: AbortSignal) => Promise<Response>
  readonly refused: (response: Response) => Promise<Verdict>
  /** Returns a verdict if the pod refuses the stream by this server-sent event. The pod then ends the connection. */
  readonly onFrame: (frame: StreamFrame) => Verdict | undefined
  readonly onState: (state: StreamState) => void
  readonly since?: string | undefined
  readonly times?: StreamTimes
}

export interface StreamTimes {
  /**
   * Milliseconds to wait before the first attempt to reconnect. Each later wait is twice as long as the one before, up
   * to `longestWaitMs`.
   */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** After this many failed connections in a row, the console gives the stream up. */
  readonly tries: number
  /**
   * Milliseconds. If a connection receives nothing for this long, the console opens a new connection. The pod sends a
   * heartbeat every 30 seconds.
   */
  readonly silenceMs: number
}

export const standardStreamTimes: StreamTimes = {
  firstWaitMs: 1_000,
  longestWaitMs: 30_000,
  tries: 12,
  silenceMs: 75_000
}

/**
 * Milliseconds to wait before the next connection. Half of the time is random, so that many tabs do not reconnect at
 * the same moment. `chance` is the random number, from 0 to 1.
 */
export const waitMs = (failures: number, times: StreamTimes, chance: number): number => {
  const whole = Math.min(times.firstWaitMs * 2 ** (failures - 1), times.longestWaitMs)
  return whole / 2 + (whole / 2) * chance
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      done()
    })
  })

/** Reads one connection to its end, and passes each server-sent event to `onFrame`. */
const readAll = async (response: Response, silenceMs: number, onFrame: (frame: StreamFrame) => void) => {
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const parser = createParser({ onEvent: ({ data, event, id }) => onFrame({ data, event, id }) })
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      timer = setTimeout(() => void reader.cancel(), silenceMs)
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
    }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Follows a stream until `signal` aborts or the console gives the stream up. The promise never rejects, because
 * `onState` reports failures.
 */
export const followStream = async (parts: StreamParts, signal: AbortSignal): Promise<void> => {
  const times = parts.times ?? standardStreamTimes
  let lastId = parts.since
  let failures = 0
  let isGap = false
  let wasLive = false
  while (!signal.aborted) {
    parts.onState({ name: "connecting" })
    let verdict: Verdict = { kind: "again", error: undefined }
    try {
      const response = await parts.connect(lastId, signal)
      if (response.ok) {
        parts.onState({ name: "live", isResumed: wasLive, isGap })
        wasLive = true
        isGap = false
        const failuresBefore = failures
        let hasPosition = false
        await readAll(response, times.silenceMs, (frame) => {
          failures = 0
          if (frame.id !== undefined) {
            lastId = frame.id
            hasPosition = true
          }
          verdict = parts.onFrame(frame) ?? verdict
        })
        // The pod can refuse a subscription by an event of the stream. Such an event has no id. If no event of the
        // connection had an id, the connection counts as a failed one.
        if (verdict.error !== undefined && !hasPosition) failures = failuresBefore
      } else {
        verdict = await parts.refused(response)
      }
    } catch (error) {
      verdict = { kind: "again", error }
    }
    if (signal.aborted) return
    if (verdict.kind === "restart") {
      lastId = undefined
      isGap = true
    }
    failures++
    if (verdict.kind === "end" || failures >= times.tries) {
      parts.onState({ name: "ended", error: verdict.error })
      return
    }
    const wait = waitMs(failures, times, Math.random())
    parts.onState({ name: "waiting", again: Date.now() + wait })
    await pause(wait, signal)
  }
}
