/**
 * Follows the event log with the tRPC 11 client. After a lost connection, the client continues after the last event
 * that it received.
 */
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client"
// This package is needed, because the EventSource of browsers cannot send a header.
import { EventSource } from "eventsource"

const url = `${process.env.POD_URL ?? "http://localhost:8787"}/api/hub/trpc`
const headers = { authorization: `Bearer ${process.env.POD_API_KEY}` }
const withKey = (address, init) => fetch(address, { ...init, headers: { ...init?.headers, ...headers } })
const watching = httpSubscriptionLink({ url, EventSource, eventSourceOptions: { fetch: withKey } })
const asking = httpBatchLink({ url, headers })
const pod = createTRPCClient({
  links: [splitLink({ condition: ({ type }) => type === "subscription", true: watching, false: asking })]
})

pod.events.stream.subscribe(
  { type: process.argv[2] ?? "*" },
  {
    onStarted: () => console.log("following"),
    // Store the id. To continue later, send it as `lastEventId`.
    onData: ({ data, id }) => console.log(`${data.type} ${data.subjectId} (position ${id})`),
    onError: ({ message }) => console.log(`ended: ${message}`)
  }
)
