/** Reads server-sent events from the pod, and opens the stream again when it breaks. */
import { Effect, Schedule, Stream } from "effect"
import type { IncomingMessage } from "node:http"
import { CliFailure } from "./CliFailure.ts"
import { noPod, PodClient } from "./PodClient.ts"
import { refusalOf } from "./Refusals.ts"

export interface ServerEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/**
 * Makes a parser of server-sent events. The parser accepts the text in pieces of any size, and returns the events that
 * are complete. Lines can end with LF or CRLF. A piece can end between the two characters of a CRLF.
 */
export const eventParser = (): ((piece: string) => ReadonlyArray<ServerEvent>) => {
  let rest = ""
  return (piece) => {
    rest += piece
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ""
    return blocks.flatMap((block) => {
      let id: string | undefined
      let event = "message"
      const data: Array<string> = []
      for (const line of block.split(/\r?\n/)) {
        // JSON can contain U+2028 and U+2029 unescaped. Without the flag `s`, `.` would not match these characters.
        const [, field, value = ""] = /^(\w+):? ?(.*)$/s.exec(line) ?? []
        if (field === "id") id = value
        else if (field === "event") event = value
        else if (field === "data") data.push(value)
      }
      return data.length === 0 ? [] : [{ id, event, data: data.join("\n") }]
    })
  }
}

const streamBroken = new CliFailure({
  exit: "unreachable",
  code: "STREAM_ENDED",
  message: "The pod ended the stream.",
  retryable: true
})

/**
 * Reads the pieces of text of an answer. If the reader stops early, the connection closes at once and does not wait for
 * the next piece.
 */
const textsOf = (answer: IncomingMessage): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => {
    // `setEncoding` makes every piece a text, so the cast is safe
    const pieces = answer[Symbol.asyncIterator]() as AsyncIterator<string>
    return {
      next: () => pieces.next(),
      return: async () => {
        answer.destroy()
        return { done: true, value: undefined }
      }
    }
  }
})

/**
 * Reads the events of one connection. The stream fails when the connection ends. The function calls `opened` when the
 * pod has accepted the request.
 */
const connectStream = (path: string, from: string | undefined, opened: () => void) =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const client = yield* PodClient
      const answer = yield* client.open(path, {
        accept: "text/event-stream",
        ...(from === undefined ? {} : { "last-event-id": from })
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => answer.destroy()))
      answer.setEncoding("utf8")
      const pieces = Stream.fromAsyncIterable(textsOf(answer), () => streamBroken)
      if (answer.statusCode !== 200) {
        const text = yield* Stream.runFold(pieces, "", (all, piece) => all + piece)
        const body = yield* Effect.try({ try: (): unknown => JSON.parse(text), catch: () => streamBroken })
        return Stream.fail(refusalOf({ status: answer.statusCode ?? 0, headers: answer.headers, text }, body))
      }
      if (answer.headers["content-type"]?.startsWith("text/event-stream") !== true) {
        return Stream.fail(noPod((yield* client.connection).place.url))
      }
      opened()
      const parse = eventParser()
      return pieces.pipe(
        Stream.mapConcat((piece) => parse(piece)),
        Stream.concat(Stream.fail(streamBroken))
      )
    })
  )

/**
 * Follows the events of a path until the caller stops. When the connection breaks, the function opens a new connection
 * and continues after the last event that it read, or after `since`. If it has read no event and `since` is absent, it
 * continues with the events that happen after the new connection. The stream fails if `since` is absent and the pod has
 * never accepted the request, so that a wrong address is reported at once.
 */
export const followEvents = (path: string, since?: string): Stream.Stream<ServerEvent, CliFailure, PodClient> => {
  let last = since
  let hasBegun = since !== undefined
  return Stream.suspend(() => connectStream(path, last, () => (hasBegun = true))).pipe(
    Stream.tap(({ id }) => Effect.sync(() => (last = id ?? last))),
    Stream.retry(
      Schedule.exponential("500 millis").pipe(
        Schedule.union(Schedule.spaced("10 seconds")),
        // If the pod refuses the request, the command does not try again. A broken connection is opened again, because
        // the pod might only be restarting.
        Schedule.whileInput((failure: CliFailure) => failure.retryable === true && hasBegun)
      )
    )
  )
}
