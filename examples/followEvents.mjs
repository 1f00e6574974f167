/** Follows the log of the pod. After a cut it goes on behind the last event that it got, without a gap. */
import { EventSource } from "eventsource" // the one of browsers cannot send a header

const pod = process.env.POD_URL ?? "http://localhost:8787"
const headers = { authorization: `Bearer ${process.env.POD_API_KEY}` }
// Where to begin: the id of the last frame of an earlier run. Without it, with what happens from now on.
const since = process.env.POD_SINCE ? `?since=${encodeURIComponent(process.env.POD_SINCE)}` : ""

const stream = new EventSource(`${pod}/api/hub/events/stream${since}`, {
  fetch: (address, init) => fetch(address, { ...init, headers: { ...init.headers, ...headers } })
})
stream.addEventListener("open", () => console.log("following"))
stream.addEventListener("event", ({ data, lastEventId }) => {
  const { type, subjectId } = JSON.parse(data)
  console.log(`${type} ${subjectId} (position ${lastEventId})`)
})
// A revoked key is not tried again; anything else is, by itself.
stream.addEventListener("error", ({ code }) => {
  if (code === 401 || code === 403) {
    console.log(`refused: ${code}`)
    stream.close()
  }
})
