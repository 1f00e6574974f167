/** An OpenTelemetry collector on this machine for tests. It accepts traces as JSON and returns what it received. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

/** A span in the JSON form of OTLP. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Readonly<Record<string, unknown>> }>
  readonly events: ReadonlyArray<unknown>
  readonly status: { readonly code: number; readonly message?: string }
}

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Collector {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  readonly spans: () => ReadonlyArray<ReceivedSpan>
  /** Resolves when `isThere` returns true. The collector calls `isThere` after each received batch. */
  readonly until: (isThere: () => boolean) => Promise<void>
  readonly stop: () => Promise<void>
}

interface Traces {
  readonly resourceSpans: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<ReceivedSpan> }>
  }>
}

export const aCollector = async (): Promise<Collector> => {
  const received: Array<Received> = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.once("end", () => {
      received.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts) })
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
      for (const look of waiting) look()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // the server listens on TCP, so its address is an object
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    spans: () =>
      received
        .filter(({ headers }) => headers["content-type"]?.includes("json"))
        .flatMap(({ body }) => (JSON.parse(body.toString()) as Traces).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    until: (isThere) =>
      new Promise((resolve) => {
        const look = () => {
          if (!isThere()) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
