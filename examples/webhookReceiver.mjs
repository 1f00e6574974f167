/**
 * Receives the calls of a webhook, verifies the signature of each call, and handles no call twice. In production, put
 * the program behind TLS.
 */
import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"

const verifier = new Webhook(process.env.WEBHOOK_SECRET)
// In production, keep the ids in a database, because the pod can repeat a call days later.
const handled = new Set()

const server = createServer((request, response) => {
  const parts = []
  request.on("data", (part) => parts.push(part))
  request.on("end", () => {
    let event
    try {
      // The signature is over the exact bytes of the body, so verify it before you parse the body.
      event = verifier.verify(Buffer.concat(parts).toString(), request.headers)
    } catch {
      response.writeHead(401).end()
      return
    }
    const id = request.headers["webhook-id"]
    if (!handled.has(id)) {
      handled.add(id)
      console.log(`received ${event.type}`)
    }
    response.writeHead(204).end()
  })
})
server.listen(Number(process.env.PORT ?? 8788), "127.0.0.1", () => console.log(`listening on ${server.address().port}`))
