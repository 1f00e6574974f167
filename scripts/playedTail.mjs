/**
 * Simulates a live stream of events inside the page. So a test or benchmark measures only the console, and not the pod.
 */
/**
 * Returns the source of a script for the page. When the console requests the event stream, the script sends events at
 * an even rate. It also records the longest task that blocked the page.
 */
export const playedTail = (perSecond, seconds) => `
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
          for (let each = 0; each < ${perSecond / 50}; each++) {
            at++
            controller.enqueue(encoder.encode("id: p" + at + "\\nevent: event\\ndata: " + JSON.stringify(eventOf(at)) + "\\n\\n"))
          }
          if (at >= ${perSecond * seconds}) clearInterval(timer)
        }, 20)
      }
    })
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }))
  }`
