/**
 * Sends one HTTP request with little work. `fetch` takes three times as much processor time for a request, which
 * matters in tests with tens of thousands of requests.
 */
import { Agent, request } from "node:http"

export interface Exchanged {
  readonly status: number
  /** The headers of the answer. They are parsed at the first use, because most tests use only the status and the body. */
  readonly headers: Headers
  readonly isJson: boolean
  readonly text: string
}

// This client closes an idle connection before the pod does. So it never sends a request over a connection that the pod
// is closing.
const agent = new Agent({ keepAlive: true, timeout: 3_000 })

const withBody = new Set(["POST", "PUT", "PATCH"])

/**
 * Matches the beginning of an open event stream. A REST stream begins with the position and a heartbeat. A tRPC
 * subscription begins with the event `connected`, and the position follows. A refused stream does not match, but the
 * server ends it.
 */
const streamBegins = /\nevent: heartbeat\n|^event: connected\ndata: [^\n]*\nid: /

/** Sends a request with the body unchanged. Fails if no complete answer arrives. */
export const exchange = (
  address: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
  /** The path of a socket over which the request is sent, instead of the port of the address. */
  socketPath?: string
): Promise<Exchanged> =>
  new Promise((resolve, reject) => {
    // The URL class changes the path in the same way as a browser.
    const { hostname, pathname, port, search } = new URL(address)
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const length = bytes !== undefined || withBody.has(method) ? { "content-length": bytes?.length ?? 0 } : {}
    const sent = request(
      {
        agent,
        ...(socketPath === undefined ? { host: hostname, port } : { socketPath }),
        method,
        path: pathname + search,
        headers: { accept: "*/*", "user-agent": "node", ...headers, ...length }
      },
      (response) => {
        const parts: Array<Buffer> = []
        const isStream = (response.headers["content-type"] ?? "").startsWith("text/event-stream")
        let hasAnswered = false
        const answer = () => {
          if (hasAnswered) return
          hasAnswered = true
          let answered: Headers | undefined
          resolve({
            status: response.statusCode ?? 0,
            get headers() {
              return (answered ??= new Headers(
                Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
                  values.map((value): [string, string] => [name, value])
                )
              ))
            },
            isJson: (response.headers["content-type"] ?? "").includes("json"),
            text: Buffer.concat(parts).toString()
          })
        }
        response.on("data", (part: Buffer) => {
          parts.push(part)
          // An event stream has no end. So this client returns its beginning as the answer, and closes the connection.
          if (isStream && streamBegins.test(part.toString())) {
            answer()
            sent.destroy()
          }
        })
        response.once("error", (cause) => (hasAnswered ? undefined : reject(cause)))
        response.once("end", answer)
      }
    )
    sent.on("error", reject)
    sent.end(bytes)
  })
