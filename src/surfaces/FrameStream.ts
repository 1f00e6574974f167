/** Sends the frames of an answer as server-sent events, when the operation sends any. */
import { Effect, Either } from "effect"
import type { Outcome } from "../doors/Call.ts"
import { dialectOf, wireAnswerIn } from "../doors/Dialect.ts"
import type { FrameSink } from "../doors/Frames.ts"
import { eventHeaders, type StreamTimes } from "./EventStream.ts"
import { type Exchange, noteOutcome } from "./Exchange.ts"

const keepAlive = ": keep-alive\n\n" // a comment, which clients of server-sent events ignore

const frameText = (frame: unknown) => `data: ${JSON.stringify(frame)}\n\n`

/**
 * The reader of an exchange. `frames` takes the frames of the call; the first one opens the stream. `finish` ends the stream
 * with the outcome of the call, and returns false if there is no stream, so that the outcome is answered as usual.
 */
export const frameStream = (
  exchange: Exchange,
  { heartbeatMs, patienceMs }: StreamTimes
): { readonly frames: FrameSink; readonly finish: (outcome: Outcome) => boolean } => {
  const { note, response } = exchange
  const dialect = dialectOf(exchange.path)
  const told = { events: 0, ended: "left" }
  let beat: NodeJS.Timeout | undefined
  const open = () => {
    note.stream = told
    response.writeHead(200, eventHeaders)
    beat = setInterval(() => void (response.writableNeedDrain || response.write(keepAlive)), heartbeatMs)
    response.once("close", () => clearInterval(beat))
  }
  const drained = Effect.async<void>((resume) => {
    const impatience = setTimeout(() => {
      told.ended = "slow"
      response.destroy()
    }, patienceMs)
    const taken = () => {
      clearTimeout(impatience)
      response.off("drain", taken)
      response.off("close", taken)
      resume(Effect.void)
    }
    response.on("drain", taken)
    response.on("close", taken)
  })
  // Nearly every frame is taken at once, and a fiber that waits for nothing costs several times the write.
  const send = (frame: unknown) =>
    Effect.suspend(() => {
      // A reader that has left interrupts the call where it may be interrupted; elsewhere the call goes on to its end.
      if (response.destroyed) return Effect.void
      if (beat === undefined) open()
      told.events++
      return response.write(frameText(frame)) ? Effect.void : drained
    })
  return {
    frames: { send, hasBegun: () => beat !== undefined },
    finish: (outcome) => {
      if (beat === undefined) return false
      clearInterval(beat)
      noteOutcome(exchange, outcome)
      const { result } = outcome
      told.ended = Either.isRight(result) ? "answered" : `refused: ${result.left._tag}`
      // Clients of OpenAI take an end without this mark for an answer that was cut.
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
