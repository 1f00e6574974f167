/**
 * Follows the event log of the pod. After a lost connection, the program continues after the last event that it
 * received, without a gap.
 */
// This package is needed, because the EventSource of browsers cannot send a header.
import { EventSource } from "eventsource"

const pod = process.env.POD_URL ?? "http://localhost:8787"
const headers = { authorization: `Bearer ${process.env.POD_API_KEY}` }
// POD_SINCE is the id of the last message that an earlier run received, and the stream continues after it. Without
// POD_SINCE, the pod sends only new events.
const since = process.env.POD_SINCE ? `?since=${encodeURIComponent(process.env.POD_SINCE)}` : ""

const stream = new EventSource(`${pod}/api/hub/events/stream${since}`, {
  fetch: (address, init) => fetch(address, { ...init, headers: { ...init.headers, ...headers } })
})
stream.addEventListener("open", () => console.log("following"))
stream.addEventListener("event", ({ data, lastEventId }) => {
  const { type, subjectId } = JSON.parse(data)
  console.log(`${type} ${subjectId} (position ${lastEventId})`)
})
// A refusal ends the program, for example if the key is revoked. After any other error the client reconnects by itself.
stream.addEventListener("error", ({ code }) => {
  if (code === 401 || code === 403) {
    console.log(`refused: ${code}`)
    stream.close()
  }
})
