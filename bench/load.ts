/** The load: a fixed number of requests over 32 connections that stay open, as cheap for this machine as it can be. */
import { connect, type Socket } from "node:net"

export const concurrency = 32 // connections, each with one request at a time

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
 * How long the load sleeps after each turn, deaf to its sockets. Were it waiting on them, every answer would have to wake
 * it, which on a virtual machine costs the server 20 to 30 µs, and only a server slow enough to let the load fall asleep:
 * measured with a plain node:http that spins for 60 µs a request, which cost 86 more. Clients on another machine are not
 * woken by the server's processor either. Latencies are that much coarser.
 */
const restMs = 1
const never = new Int32Array(new SharedArrayBuffer(4)) // nobody notifies it, so waiting for it is sleeping

const headEnd = Buffer.from("\r\n\r\n")

const encode = ({ body, headers, method, path }: Request, port: number): Buffer => {
  const length = body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(
    [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, ...fields, ...length, "", body ?? ""].join("\r\n")
  )
}

/** The text of a chunked body, or undefined while its last chunk has not come. */
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

/** One whole answer, or undefined while it is incomplete. Answers never overlap: a connection asks one thing at a time. */
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

/** Connections to one server, kept open between rounds. */
export class Connections {
  readonly #port: number
  #sockets: ReadonlyArray<Socket> = []

  constructor(port: number) {
    this.#port = port
  }

  async open(): Promise<void> {
    this.#sockets = await Promise.all(
      Array.from(
        { length: concurrency },
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

  /** Asks one thing and answers what came. */
  ask(request: Request): Promise<Answer> {
    return this.#exchange(this.#sockets[0], encode(request, this.#port))
  }

  /** Asks `count` times, `concurrency` at once. Milliseconds of each; fails on the first answer that is not 200. */
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
          if (status !== 200) throw new Error(`answered ${status}: ${body.slice(0, 300)}`)
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
