/** Tests the loop that keeps the event stream of the console open. */
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { followStream, standardStreamTimes, type StreamState, waitMs } from "../../src/console/api/streamLoop.ts"

const times = { firstWaitMs: 1, longestWaitMs: 2, tries: 4, silenceMs: 10_000 }

/** Makes a response that sends these pieces and then ends. */
const sending = (...pieces: ReadonlyArray<string>) =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      }
    })
  )

/**
 * Runs the loop with connections that give these answers in this order. Every later connection is refused. Returns what
 * the reader received, and the last event id that each connection requested.
 */
const followed = async (
  answers: ReadonlyArray<Response | Error>,
  kind: "end" | "again" | "restart" = "end",
  since?: string
) => {
  const asked: Array<string | undefined> = []
  const taken: Array<string> = []
  const states: Array<StreamState> = []
  await followStream(
    {
      connect: (lastId) => {
        const answer = answers[asked.length] ?? new Response("", { status: 403 })
        asked.push(lastId)
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
      },
      refused: ({ status }) => Promise.resolve({ kind: status === 403 ? "end" : kind, error: status }),
      onFrame: ({ data, event }) => {
        if (event === "refusal") return { kind: data === "403" ? "end" : "again", error: data }
        taken.push(data)
        return undefined
      },
      onState: (state) => states.push(state),
      since,
      times
    },
    new AbortController().signal
  )
  return { asked, taken, states, names: states.map(({ name }) => name) }
}

describe("the console's client for the event stream", () => {
  it("after an interruption, the console's event stream continues after the last event id that it received", async () => {
    const { asked, taken } = await followed([sending("id: a\ndata: one\n\n", "id: b\ndata: two\n\n"), sending()])
    assert.deepStrictEqual(asked, [undefined, "b", "b"])
    assert.deepStrictEqual(taken, ["one", "two"])
  })

  it("the console's event stream begins after the position that the screen gives", async () => {
    const { asked } = await followed([], "end", "p")
    assert.deepStrictEqual(asked, ["p"])
  })

  it("after a reconnection, the console's event stream reports that the stream continues and that there is no gap", async () => {
    const { states } = await followed([sending("id: a\ndata: one\n\n"), sending("id: b\ndata: two\n\n")])
    assert.deepStrictEqual(
      states.filter(({ name }) => name === "live"),
      [
        { name: "live", isResumed: false, isGap: false },
        { name: "live", isResumed: true, isGap: false }
      ]
    )
  })

  it("if the pod no longer knows the position in the event log, the console's event stream begins with new events and reports a gap", async () => {
    const refusal = new Response("", { status: 409 })
    const { asked, states } = await followed([sending("id: a\ndata: one\n\n"), refusal, sending()], "restart")
    assert.deepStrictEqual(asked, [undefined, "a", undefined, undefined])
    assert.deepInclude(states, { name: "live", isResumed: true, isGap: true })
  })

  it("the console's event stream ends at a refusal that a retry cannot change", async () => {
    const { asked, states } = await followed([new Response("", { status: 403 })])
    assert.strictEqual(asked.length, 1)
    assert.deepStrictEqual(states.at(-1), { name: "ended", error: 403 })
  })

  it("if the pod refuses the console's event stream by an event, the stream ends at once, or after the maximum number of attempts if the status is 503", async () => {
    const refusedBy = (status: string) =>
      sending("event: connected\ndata: {}\n\n", `event: refusal\ndata: ${status}\n\n`)
    const forGood = await followed([sending("id: a\ndata: one\n\n"), refusedBy("403")])
    assert.deepStrictEqual(forGood.asked, [undefined, "a"])
    assert.deepStrictEqual(forGood.states.at(-1), { name: "ended", error: "403" })
    const forNow = await followed(Array.from({ length: 9 }, () => refusedBy("503")))
    assert.lengthOf(forNow.asked, times.tries)
    assert.deepStrictEqual(forNow.states.at(-1), { name: "ended", error: "503" })
  })

  it("the console's event stream ends after a maximum number of failures in a row, and each received message sets the count of failures to zero", async () => {
    const lost = new Error("lost")
    const { asked, names } = await followed([lost, lost, sending("data: one\n\n"), lost, lost, lost, lost, lost])
    // The third connection receives a message, so the count of failures begins again. The end of this connection is the
    // first failure.
    assert.strictEqual(asked.length, 6)
    assert.strictEqual(names.at(-1), "ended")
  })

  it("the console's event stream replaces a connection that has been silent for too long", async () => {
    let connections = 0
    const states: Array<string> = []
    await followStream(
      {
        connect: () => {
          connections++
          return Promise.resolve(
            connections === 1 ? new Response(new ReadableStream()) : new Response("", { status: 403 })
          )
        },
        refused: ({ status }) => Promise.resolve({ kind: "end", error: status }),
        onFrame: () => undefined,
        onState: ({ name }) => states.push(name),
        times: { ...times, silenceMs: 5 }
      },
      new AbortController().signal
    )
    assert.deepStrictEqual(states, ["connecting", "live", "waiting", "connecting", "ended"])
  })

  it("the console's event stream stops at once when its screen is closed", async () => {
    const leaving = new AbortController()
    const names: Array<string> = []
    await followStream(
      {
        connect: () => {
          leaving.abort()
          return Promise.reject(new DOMException("aborted", "AbortError"))
        },
        refused: () => Promise.resolve({ kind: "end", error: undefined }),
        onFrame: () => undefined,
        onState: ({ name }) => names.push(name)
      },
      leaving.signal
    )
    assert.deepStrictEqual(names, ["connecting"])
  })

  it("the console's event stream waits longer after each failure, up to a maximum", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, chance) => {
        const wait = waitMs(failures, standardStreamTimes, chance)
        assert.isAtMost(wait, standardStreamTimes.longestWaitMs)
        assert.isAtLeast(wait, standardStreamTimes.firstWaitMs / 2)
        assert.isAtLeast(waitMs(failures + 1, standardStreamTimes, chance), wait)
      })
    )
  })
})
