/** Serves the metrics: on a separate port, or on the port of the pod to requests that have the metrics token. */
import { Effect, Redacted, Runtime } from "effect"
import { createHash, timingSafeEqual } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import { Registry } from "prom-client"
import type { Exchange } from "./Exchange.ts"
import type { Metrics } from "./Metrics.ts"
import { type Address, listenOn, type Mount, portOf } from "./Server.ts"

const path = "/metrics"
const sendMetrics = (response: ServerResponse, text: string): void => {
  if (response.destroyed) return
  response.writeHead(200, { "content-type": Registry.PROMETHEUS_CONTENT_TYPE }).end(text)
}

const digest = (text: string) => createHash("sha256").update(text).digest()

/**
 * Serves the metrics on the port of the pod to requests with the metrics token. Only the exact path of the metrics
 * exists. A path below it gets the same answer as an unknown path.
 */
export const metricsMount = (
  { text }: Metrics,
  token: Redacted.Redacted,
  absent: (exchange: Exchange) => void
): Effect.Effect<Mount> =>
  Effect.map(Effect.runtime(), (runtime) => {
    const runFork = Runtime.runFork(runtime)
    const known = digest(`Bearer ${Redacted.value(token)}`)
    return {
      at: path,
      handle: (exchange) => {
        const { request, response } = exchange
        if (exchange.path !== path) return absent(exchange)
        if (!timingSafeEqual(known, digest(request.headers.authorization ?? ""))) {
          return void response.writeHead(401, { "www-authenticate": 'Bearer realm="metrics"' }).end()
        }
        if (request.method !== "GET") return void response.writeHead(405, { allow: "GET" }).end()
        runFork(Effect.map(text, (body) => sendMetrics(response, body)))
      }
    }
  })

/** Serves the metrics on a separate port until the scope closes. Returns the port number. */
export const serveMetrics = Effect.fnUntraced(function* ({ text }: Metrics, address: Address) {
  const runFork = Runtime.runFork(yield* Effect.runtime())
  const server = yield* Effect.acquireRelease(
    Effect.suspend(() => {
      const newServer = createServer((request, response) => {
        if (request.url !== path) return response.writeHead(404).end()
        if (request.method !== "GET") return response.writeHead(405, { allow: "GET" }).end()
        runFork(
          Effect.map(text, (body) => {
            sendMetrics(response, body)
          })
        )
      })
      return listenOn(newServer, address, "POD_METRICS")
    }),
    (newServer) =>
      Effect.async<void>((resume) => {
        newServer.close(() => resume(Effect.void))
        newServer.closeAllConnections()
      })
  )
  return portOf(server)
})
