/** One HTTP request of a test. It takes a third of the processor time of `fetch`, and the walks send tens of thousands. */
import { Agent, request } from "node:http"

export interface Exchanged {
  readonly status: number
  /** Made when they are asked for, because most tests ask for the status and the body alone. */
  readonly headers: Headers
  readonly isJson: boolean
  readonly text: string
}

// An idle connection is given up before the pod closes it, so that no request is sent into a closing one.
const agent = new Agent({ keepAlive: true, timeout: 3_000 })

const withBody = new Set(["POST", "PUT", "PATCH"])

/** What a stream of events begins with, after the position. */
const streamBegins = "\nevent: heartbeat\n"

/** Sends the body as it is. Fails when there is no complete answer. */
export const exchange = (
  address: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string
): Promise<Exchanged> =>
  new Promise((resolve, reject) => {
    // The path as a browser would send it.
    const { hostname, pathname, port, search } = new URL(address)
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const length = bytes !== undefined || withBody.has(method) ? { "content-length": bytes?.length ?? 0 } : {}
    const sent = request(
      {
        agent,
        host: hostname,
        port,
        method,
        path: pathname + search,
        headers: { accept: "*/*", "user-agent": "node", ...headers, ...length }
      },
      (response) => {
        const parts: Array<Buffer> = []
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
          // A stream of events has no end: its beginning is the answer, and the client leaves.
          if (part.includes(streamBegins)) {
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
