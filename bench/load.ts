/** Sends a fixed number of requests over some open connections. It uses as little processor time as possible. */
import { connect, type Socket } from "node:net"

// The usual number of connections. Each connection has one request at a time.
export const inFlightUsual = 32

export interface Request {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly body: string
}

/**
 * The load program sleeps for this many milliseconds in each turn of its event loop, and does not wait for its sockets
 * then. Otherwise each answer would wake the load program. On a virtual machine, each wake-up costs the server 20 to 30
 * µs of processor time (measured with a plain `node:http` server). A client on another machine does not cause this
 * cost. Each measured latency can be too long by the length of the sleep.
 */
const restMs = 1
// No code notifies this array, so a wait for it always ends with a timeout.
const never = new Int32Array(new SharedArrayBuffer(4))

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

const headEnd = Buffer.from("\r\n\r\n")

const encode = ({ body, headers, method, path }: Request, port: number): Buffer => {
  const length = body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(
    [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, ...fields, ...length, "", body ?? ""].join("\r\n")
  )
}

/** Returns the text of a chunked body, or undefined if the last chunk has not arrived yet. */
const unchunked = (bytes: Buffer): string | undefined => {
  let at = 0
  let text = ""
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return text
    text += bytes.toString("utf8", lineEnd + 2, lineEnd + 2 + size)
    at = next
  }
}

/**
 * Returns the answer in the received bytes, or undefined if the answer is not complete yet. The bytes contain only one
 * answer, because a connection has only one request at a time.
 */
const decode = (bytes: Buffer): Answer | undefined => {
  const end = bytes.indexOf(headEnd)
  if (end === -1) return undefined
  const head = bytes.toString("latin1", 0, end)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const body = bytes.subarray(end + 4)
  if (length !== undefined) return body.length < Number(length) ? undefined : { status, body: body.toString("utf8") }
  const text = unchunked(body)
  return text === undefined ? undefined : { status, body: text }
}

/** Connections to one server. The connections stay open between rounds. */
export class Connections {
  readonly #port: number
  readonly #inFlight: number
  #sockets: ReadonlyArray<Socket> = []

  constructor(port: number, inFlight = inFlightUsual) {
    this.#port = port
    this.#inFlight = inFlight
  }

  async open(): Promise<void> {
    this.#sockets = await Promise.all(
      Array.from(
        { length: this.#inFlight },
        () =>
          new Promise<Socket>((resolve, reject) => {
            const socket = connect({ port: this.#port, host: "127.0.0.1", noDelay: true }, () => resolve(socket))
            socket.once("error", reject)
          })
      )
    )
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Sends one request and returns its answer. */
  ask(request: Request): Promise<Answer> {
    return this.#exchange(this.#sockets[0], encode(request, this.#port))
  }

  /**
   * Sends `count` requests, one at a time on each connection. Returns the milliseconds of each request. Fails if a
   * request does not succeed.
   */
  async drive(requestAt: (index: number) => Request, count: number): Promise<Float64Array> {
    const tookMs = new Float64Array(count)
    let next = 0
    const rest = () => {
      if (next >= count) return
      Atomics.wait(never, 0, 0, restMs)
      setImmediate(rest)
    }
    setImmediate(rest)
    await Promise.all(
      this.#sockets.map(async (socket) => {
        while (next < count) {
          const index = next++
          const bytes = encode(requestAt(index), this.#port)
          const startedMs = performance.now()
          const { body, status } = await this.#exchange(socket, bytes)
          tookMs[index] = performance.now() - startedMs
          if (!isSuccess(status)) throw new Error(`answered ${status}: ${body.slice(0, 300)}`)
        }
      })
    )
    return tookMs
  }

  #exchange(socket: Socket, bytes: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      let received: Buffer | undefined
      const finish = () => {
        socket.off("data", onData)
        socket.off("close", onClose)
      }
      const onData = (part: Buffer) => {
        received = received === undefined ? part : Buffer.concat([received, part])
        const answer = decode(received)
        if (answer === undefined) return
        finish()
        resolve(answer)
      }
      const onClose = () => {
        finish()
        reject(new Error("the server closed the connection"))
      }
      socket.on("data", onData)
      socket.on("close", onClose)
      socket.write(bytes)
    })
  }
}
