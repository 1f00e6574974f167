/**
 * Calls procedures with the tRPC 11 client. In TypeScript, use `createTRPCClient<AppRouter>` with the types of
 * `pod/app-router`.
 */
import { createTRPCClient, httpBatchLink } from "@trpc/client"

const url = `${process.env.POD_URL ?? "http://localhost:8787"}/api/hub/trpc`
const pod = createTRPCClient({
  links: [httpBatchLink({ url, headers: { authorization: `Bearer ${process.env.POD_API_KEY}` } })]
})

// The client sends both calls in one request.
const [me, notes] = await Promise.all([
  pod.svc.me.query(),
  pod.entities.getEntities.query({ profileSlug: "note", limit: 10 })
])
console.log(`caller ${me.id}`)
for (const { title } of notes) console.log(`note ${title}`)
