/** A reader of server-sent events for tests. Its own parser follows the event stream format of the HTML standard. */
import { type IncomingMessage, request } from "node:http"

export interface Frame {
  readonly id: string
  readonly event: string
  readonly data: any
}

export interface EventReader {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  /** The body of an answer that is not an event stream. */
  readonly body: any
  /** Returns the next events of the stream, without heartbeats. Fails if the stream ends before there are enough. */
  readonly events: (count: number) => Promise<ReadonlyArray<Frame>>
  /** Returns the events that were received but not yet returned by `events`. */
  readonly taken: () => ReadonlyArray<Frame>
  readonly heartbeats: (count: number) => Promise<void>
  /** Returns the last received event id. A browser sends this id when the browser connects again. */
  readonly lastId: () => string
  readonly closed: Promise<void>
  readonly close: () => void
  /** Stops reading from the connection. */
  readonly pause: () => void
  readonly resume: () => void
}

/**
 * Opens a stream. Resolves when the headers are received. If the answer is not a stream, resolves when the whole body
 * is received.
 */
export const aReader = (
  address: string,
  headers: Readonly<Record<string, string>>,
  method = "GET"
): Promise<EventReader> =>
  new Promise((resolve, reject) => {
    const sent = request(address, { method, headers, agent: false }, (response) => {
      const frames: Array<Frame> = []
      const beats = { count: 0 }
      const waiting = new Set<() => void>()
      let isClosed = false
      let lastId = ""
      let rest = ""
      const closed = new Promise<void>((end) => {
        response.once("close", () => {
          isClosed = true
          end()
          for (const look of waiting) look()
        })
      })
      response.on("error", () => {})
      const parse = (block: string) => {
        let event = "message"
        const data: Array<string> = []
        for (const line of block.split("\n")) {
          const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line)!
          if (field === "id") lastId = value
          else if (field === "event") event = value
          else if (field === "data") data.push(value)
        }
        const text = data.join("\n")
        if (event === "heartbeat" || event === "ping") beats.count++
        else if (data.length > 0) frames.push({ id: lastId, event, data: text === "" ? undefined : JSON.parse(text) })
      }
      const until = <A>(ready: () => A | undefined) =>
        new Promise<A>((found, missed) => {
          const look = () => {
            const value = ready()
            if (value !== undefined) {
              waiting.delete(look)
              found(value)
            } else if (isClosed) missed(new Error(`the stream ended after ${frames.length} further frames`))
          }
          waiting.add(look)
          look()
        })
      const reader = (body: unknown): EventReader => ({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body,
        events: (count) => until(() => (frames.length >= count ? frames.splice(0, count) : undefined)),
        taken: () => frames.splice(0),
        heartbeats: (count) => until(() => (beats.count >= count ? true : undefined)).then(() => undefined),
        lastId: () => lastId,
        closed,
        close: () => sent.destroy(),
        pause: () => void response.pause(),
        resume: () => void response.resume()
      })
      response.setEncoding("utf8")
      if (!(response.headers["content-type"] ?? "").startsWith("text/event-stream")) {
        let text = ""
        response.on("data", (part: string) => (text += part))
        response.once("end", () => resolve(reader(text === "" ? undefined : JSON.parse(text))))
        return
      }
      response.on("data", (part: string) => {
        const blocks = (rest + part).split("\n\n")
        rest = blocks.pop() ?? ""
        for (const block of blocks) parse(block)
        for (const look of waiting) look()
      })
      resolve(reader(undefined))
    })
    sent.once("error", reject)
    sent.end()
  })
