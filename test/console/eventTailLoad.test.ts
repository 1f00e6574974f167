/**
 * The live tail under 200 events a second. The stream is played inside the page, so that only the console is measured.
 * POD_MEASURE=1 checks the longest task too, which says something only on a machine that has nothing else to do.
 */
import { assert } from "vitest"
import { describeConsole, it } from "./consoleScene.ts"

const perSecond = 200
const seconds = 5

/** Runs in the page: answers the stream with events at an even pace, and notes every long task. */
const playedStream = `
  window.longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
  }).observe({ type: "longtask" })
  const ask = window.fetch
  window.fetch = (url, options) => {
    if (!String(url).includes("/events/stream")) return ask(url, options)
    const encoder = new TextEncoder()
    const pad = (number) => String(number).padStart(12, "0")
    const eventOf = (at) => ({
      id: "00000000-0000-7000-8000-" + pad(at), version: "v1", type: "load.n" + at, data: { text: "x".repeat(400) },
      userId: "u", actorId: "u", source: "api", workspaceId: null, seq: at,
      timestamp: new Date().toISOString(), correlationId: "c",
      decision: { verdict: "allow", rung: "person", permission: "event.create" }
    })
    let at = 0
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(encoder.encode("id: p0\\nevent: heartbeat\\ndata: {}\\n\\n"))
        const timer = setInterval(() => {
          for (let each = 0; each < 4; each++) {
            at++
            controller.enqueue(encoder.encode("id: p" + at + "\\nevent: event\\ndata: " + JSON.stringify(eventOf(at)) + "\\n\\n"))
          }
          if (at >= ${perSecond * seconds}) clearInterval(timer)
        }, 20)
      }
    })
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }))
  }`

describeConsole("the tail under load", ({ open, pod }) => {
  it("shows every event of a fast stream, with few rows in the page", async () => {
    const page = await open("/")
    await page.getByRole("heading", { name: "Home" }).waitFor()
    await page.addInitScript(playedStream)
    await page.goto(`${pod().baseUrl}/admin/events`)
    await page.getByText(`${perSecond * seconds} events shown`).waitFor({ timeout: 60_000 })
    assert.isBelow(await page.getByRole("region", { name: "Events" }).getByRole("listitem").count(), 40)
    const longest = Number(await page.evaluate("window.longest"))
    if (process.env["POD_MEASURE"] === "1") {
      process.stdout.write(`longest task of the tail: ${longest} ms\n`)
      assert.isAtMost(longest, 100)
    }
  })
})
