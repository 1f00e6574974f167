/** The reader of server-sent events gives the same events however a stream is cut into pieces. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { eventReader } from "../../../src/platform/models/ServerEvents.ts"

const read = (pieces: ReadonlyArray<string>): ReadonlyArray<string> => {
  const reader = eventReader()
  const encoder = new TextEncoder()
  return [...pieces.flatMap((piece) => reader.take(encoder.encode(piece))), ...reader.end()]
}

const part = FastCheck.constantFrom("data: a", "data:b", "data", ": note", "id: 1", "\n", "\r", "\r\n", "\n\n", "ü", "")

describe("server-sent events", () => {
  it("in server-sent events, a line can end in a line feed, a carriage return or both, and an event contains all of its data lines", () => {
    assert.deepStrictEqual(read(["data: a\ndata:b\n\ndata: c\r\rdata: d\r\n\r\n"]), ["a\nb", "c", "d"])
  })

  it.prop(
    "the reader of server-sent events returns the same events if the stream comes as a whole or in pieces of one character",
    [FastCheck.array(part, { maxLength: 20 })],
    ([parts]) => {
      const whole = parts.join("")
      assert.deepStrictEqual(read([...whole]), read([whole]))
    },
    { fastCheck: { numRuns: 1_000 } }
  )
})
