/**
 * Sends an answer as server-sent events while its operation still runs. An operation that can do this declares frames,
 * which are the parts of its answer.
 */
import { Effect, Either } from "effect"
import type { Outcome } from "../doors/Call.ts"
import { dialectOf, wireAnswerIn } from "../doors/Dialect.ts"
import type { FrameSink } from "../doors/Frames.ts"
import { eventHeaders, type StreamTimes } from "./EventStream.ts"
import { type Exchange, noteOutcome } from "./Exchange.ts"

// Clients of server-sent events ignore this comment line.
const keepAlive = ": keep-alive\n\n"

const frameText = (frame: unknown) => `data: ${JSON.stringify(frame)}\n\n`

/**
 * Makes the functions that stream the answer to a request. `frames` receives the frames (the parts of the answer), and
 * the first frame opens the stream. `finish` ends the stream with the outcome of the call. If no stream is open,
 * `finish` returns false, and the caller of `finish` answers with the outcome.
 */
export const frameStream = (
  exchange: Exchange,
  { heartbeatMs, patienceMs }: StreamTimes
): { readonly frames: FrameSink; readonly finish: (outcome: Outcome) => boolean } => {
  const { note, response } = exchange
  const dialect = dialectOf(exchange.path)
  const streamNote = { events: 0, ended: "left" }
  let heartbeatTimer: NodeJS.Timeout | undefined
  const open = () => {
    note.stream = streamNote
    response.writeHead(200, eventHeaders)
    heartbeatTimer = setInterval(() => void (response.writableNeedDrain || response.write(keepAlive)), heartbeatMs)
    response.once("close", () => clearInterval(heartbeatTimer))
  }
  const drained = Effect.async<void>((resume) => {
    const stallTimer = setTimeout(() => {
      streamNote.ended = "slow"
      response.destroy()
    }, patienceMs)
    const onDrain = () => {
      clearTimeout(stallTimer)
      response.off("drain", onDrain)
      response.off("close", onDrain)
      resume(Effect.void)
    }
    response.on("drain", onDrain)
    response.on("close", onDrain)
  })
  // This function is not an async effect, because nearly every frame (part of the answer) is written at once. An async
  // effect costs several times as much as the write, even if it does not wait.
  const send = (frame: unknown) =>
    Effect.suspend(() => {
      // If the reader has disconnected, the pod interrupts the call where this is possible. Otherwise the call
      // continues to its end, and the pod drops the remaining parts of the answer.
      if (response.destroyed) return Effect.void
      if (heartbeatTimer === undefined) open()
      streamNote.events++
      return response.write(frameText(frame)) ? Effect.void : drained
    })
  return {
    frames: { send, hasBegun: () => heartbeatTimer !== undefined },
    finish: (outcome) => {
      if (heartbeatTimer === undefined) return false
      clearInterval(heartbeatTimer)
      noteOutcome(exchange, outcome)
      const { result } = outcome
      streamNote.ended = Either.isRight(result) ? "answered" : `refused: ${result.left._tag}`
      // For OpenAI clients the stream must end with `[DONE]`. Otherwise they think that the answer was cut off.
      const last = Either.isLeft(result)
        ? frameText(wireAnswerIn(dialect, result.left).body)
        : dialect === "openai"
          ? "data: [DONE]\n\n"
          : ""
      response.end(last)
      return true
    }
  }
}
