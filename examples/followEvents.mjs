/**
 * Follows the event log of the pod. After a lost connection it continues after the last event that it received, without
 * a gap.
 */
import { EventSource } from "eventsource" // the EventSource of browsers cannot send a header

const pod = process.env.POD_URL ?? "http://localhost:8787"
const headers = { authorization: `Bearer ${process.env.POD_API_KEY}` }
// Where to begin: the id of the last frame of an earlier run. Without it, only new events are sent.
const since = process.env.POD_SINCE ? `?since=${encodeURIComponent(process.env.POD_SINCE)}` : ""

const stream = new EventSource(`${pod}/api/hub/events/stream${since}`, {
  fetch: (address, init) => fetch(address, { ...init, headers: { ...init.headers, ...headers } })
})
stream.addEventListener("open", () => console.log("following"))
stream.addEventListener("event", ({ data, lastEventId }) => {
  const { type, subjectId } = JSON.parse(data)
  console.log(`${type} ${subjectId} (position ${lastEventId})`)
})
// A refusal, as for a revoked key, ends the program. After any other error the client reconnects.
stream.addEventListener("error", ({ code }) => {
  if (code === 401 || code === 403) {
    console.log(`refused: ${code}`)
    stream.close()
  }
})
