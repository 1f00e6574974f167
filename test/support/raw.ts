/**
 * Sends requests exactly as they are written, one after the other on one connection. Does not change the path or the
 * body.
 */
import { Agent, type IncomingHttpHeaders, request as httpRequest } from "node:http"

export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body?: string | Buffer
  /** Sends the body in chunks, without a content-length. */
  readonly isChunked?: boolean
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // A test reads the expected values from an untyped answer, and asserts on them.
  readonly body: any
  /** The port of the connection on the side of the client. */
  readonly port: number | undefined
}

export interface RawClient {
  readonly send: (request: RawRequest) => Promise<RawAnswer>
  readonly close: () => void
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Makes a client that uses one connection to the pod until the pod closes the connection. */
export const aRawClient = (baseUrl: string): RawClient => {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    close: () => agent.destroy(),
    send: ({ body, headers = {}, isChunked = false, method = "GET", path }) =>
      new Promise((resolve, reject) => {
        const length = isChunked || body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
        const options = {
          agent,
          hostname,
          port,
          method,
          path,
          headers: { ...length, ...headers } as Record<string, string>
        }
        const sent = httpRequest(options, (response) => {
          const clientPort = response.socket.localPort
          const parts: Array<Buffer> = []
          response.on("data", (part: Buffer) => parts.push(part))
          response.on("error", reject)
          response.on("end", () => {
            const text = Buffer.concat(parts).toString("utf8")
            const status = response.statusCode ?? 0
            resolve({ status, headers: response.headers, text, body: parsed(text), port: clientPort })
          })
        })
        sent.on("error", reject)
        if (isChunked) sent.flushHeaders()
        sent.end(body)
      })
  }
}
