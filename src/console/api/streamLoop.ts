/** Keeps one server-sent stream open: reads its frames, connects again where it broke, and goes on after the last id. */
import { createParser } from "eventsource-parser"

export interface StreamFrame {
  /** Name of the frame, such as `event` or `heartbeat`. */
  readonly event: string | undefined
  /** Where a reader that has taken this frame goes on. */
  readonly id: string | undefined
  readonly data: string
}

/** `live`: frames arrive. `waiting`: the stream broke and is tried again at `again`. `ended`: it is not tried again. */
export type StreamState =
  | { readonly name: "connecting" }
  | { readonly name: "live"; readonly isResumed: boolean; readonly isGap: boolean }
  | { readonly name: "waiting"; readonly again: number }
  | { readonly name: "ended"; readonly error: unknown }

/** What the answer to a connection means. `restart`: the position is not known any more, so the stream begins at now. */
export type Verdict = { readonly kind: "end" | "again" | "restart"; readonly error: unknown }

export interface StreamParts {
  /** Opens the stream after `lastId`. Rejects or answers a status of 400 and above where it could not. */
  readonly connect: (lastId: string | undefined, signal: AbortSignal) => Promise<Response>
  readonly refused: (response: Response) => Promise<Verdict>
  readonly onFrame: (frame: StreamFrame) => void
  readonly onState: (state: StreamState) => void
  readonly since?: string | undefined
  readonly times?: StreamTimes
}

export interface StreamTimes {
  /** The first wait before another connection; each further one is twice as long. */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** Connections in a row that fail before the stream is given up. */
  readonly tries: number
  /** A connection that is silent for so long is replaced. The pod sends a heartbeat every 30 seconds. */
  readonly silenceMs: number
}

export const standardStreamTimes: StreamTimes = {
  firstWaitMs: 1_000,
  longestWaitMs: 30_000,
  tries: 12,
  silenceMs: 75_000
}

/** The wait before a connection. Half of it is chance, so that many tabs do not come back in the same moment. */
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

/** Reads one connection to its end. `onFirst` is called when its first bytes are there. */
const readAll = async (response: Response, parts: StreamParts, silenceMs: number, onFrame: StreamParts["onFrame"]) => {
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

/** Follows a stream until `signal` aborts or it is given up. Never rejects: `onState` says how it goes. */
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
        await readAll(response, parts, times.silenceMs, (frame) => {
          failures = 0
          if (frame.id !== undefined) lastId = frame.id
          parts.onFrame(frame)
        })
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
