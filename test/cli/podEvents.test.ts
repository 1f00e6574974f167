/**
 * Tests how the command line follows events: it parses server-sent events from pieces of any size, and opens a broken
 * stream again.
 */
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Exit, Layer, Stream } from "effect"
import type { IncomingMessage } from "node:http"
import { PassThrough } from "node:stream"
import { CliFailure } from "../../src/cli/CliFailure.ts"
import { PodClient } from "../../src/cli/PodClient.ts"
import { eventParser, followEvents } from "../../src/cli/PodEvents.ts"

const text = (newline: string) =>
  [": a comment", "", "id: 1", "event: event", "data: first", "data: line", "", "id: 2", "data: second", "", ""].join(
    newline
  )
const read = [
  { id: "1", event: "event", data: "first\nline" },
  { id: "2", event: "message", data: "second" }
]

describe("the parser of server-sent events", () => {
  for (const [name, newline] of Object.entries({ LF: "\n", CRLF: "\r\n" })) {
    it(`the parser of server-sent events reads the same events from a text with ${name} at its line ends, wherever the text is split`, () => {
      const whole = text(newline)
      for (let first = 0; first <= whole.length; first++) {
        for (let second = first; second <= whole.length; second++) {
          const parse = eventParser()
          const pieces = [whole.slice(0, first), whole.slice(first, second), whole.slice(second)]
          assert.deepStrictEqual(
            pieces.flatMap((piece) => parse(piece)),
            read,
            JSON.stringify(pieces)
          )
        }
      }
    })
  }

  it("the parser of server-sent events returns an event as soon as it has read the empty line after the event", () => {
    const parse = eventParser()
    assert.deepStrictEqual(parse("data: first\r\n\r"), [])
    assert.deepStrictEqual(parse("\n"), [{ id: undefined, event: "message", data: "first" }])
  })

  it("the parser of server-sent events keeps the line separators of Unicode in the data of an event", () => {
    const data = JSON.stringify({ title: "one\u2028two\u2029three" })
    assert.deepStrictEqual(eventParser()(`data: ${data}\n\n`), [{ id: undefined, event: "message", data }])
  })
})

/** One connection to the pod: the pieces that the pod sends before the connection breaks, or the failure to connect. */
type Sent = ReadonlyArray<string> | CliFailure

/**
 * Makes a client that gets these connections, one after the other. `positions` collects the position in each request.
 */
const connections = (all: ReadonlyArray<Sent>, positions: Array<string | undefined>) =>
  Layer.succeed(PodClient, {
    request: () => Effect.dieMessage("not used"),
    requestAny: () => Effect.dieMessage("not used"),
    procedure: () => Effect.dieMessage("not used"),
    connection: Effect.dieMessage("not used"),
    open: (_path, headers) =>
      Effect.suspend(() => {
        const sent = all[positions.length] ?? unreachable
        positions.push(headers?.["last-event-id"])
        if (sent instanceof CliFailure) return Effect.fail(sent)
        const answer = new PassThrough()
        for (const piece of sent) answer.write(piece)
        answer.end()
        // The code under test uses an answer only as a readable stream with a status and headers.
        return Effect.succeed(
          Object.assign(answer, {
            statusCode: 200,
            headers: { "content-type": "text/event-stream" }
          }) as unknown as IncomingMessage
        )
      })
  })

const unreachable = new CliFailure({
  exit: "unreachable",
  code: "UNREACHABLE",
  message: "The pod cannot be reached.",
  retryable: true
})

const dataOf = (count: number, all: ReadonlyArray<Sent>, positions: Array<string | undefined>, since?: string) =>
  followEvents("/events", since).pipe(
    Stream.take(count),
    Stream.map(({ data }) => data),
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray),
    Effect.provide(connections(all, positions))
  )

describe("a stream of events that breaks", () => {
  it.live(
    "if the command line opens an event stream without a position in the event log and cannot reach the pod, the command fails at once",
    () =>
      Effect.gen(function* () {
        const positions: Array<string | undefined> = []
        const exit = yield* Effect.exit(dataOf(1, [unreachable, ["data: late\n\n"]], positions))
        assert.deepStrictEqual(exit, Exit.fail(unreachable))
        assert.deepStrictEqual(positions, [undefined])
      })
  )

  it.live(
    "if a stream breaks before its first event, the command line opens the stream again, even without a position in the event log",
    () =>
      Effect.gen(function* () {
        const positions: Array<string | undefined> = []
        const data = yield* dataOf(1, [["id: 7\r\ndata: lo"], ["id: 7\ndata: found\n\n"]], positions)
        assert.deepStrictEqual(data, ["found"])
        assert.deepStrictEqual(positions, [undefined, undefined])
      })
  )

  it.live("if a stream breaks, the command line opens it again after the last event that it received", () =>
    Effect.gen(function* () {
      const positions: Array<string | undefined> = []
      const all = [unreachable, ["id: 7\r\ndata: first\r\n\r", "\n"], ["id: 8\ndata: second\n\n"]]
      assert.deepStrictEqual(yield* dataOf(2, all, positions, "6"), ["first", "second"])
      assert.deepStrictEqual(positions, ["6", "6", "7"])
    })
  )
})
