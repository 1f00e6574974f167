/**
 * Closes a server without losing a request. The server still serves every connection that the operating system has
 * accepted. An answer is cut off only after a time limit.
 */
import type { Server } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import type { RequestTurns } from "./Connections.ts"

// After this many milliseconds the server cuts off requests that still run. A supervisor allows 10 s for a stop, and
// the time of `POD_STOP_GRACE` is a part of these 10 s too.
const drainMs = 8_000
// If no client connects for this many milliseconds, every client either waits for an answer or has disconnected.
const quietMs = 50
// The server waits at most this many milliseconds until no client has connected for `quietMs`. Then the server closes,
// even if clients still connect.
const holdMs = 1_000
// A normal client sends its first request within this many milliseconds after it has connected.
const freshMs = 2_000

export class GracefulClose {
  readonly #server: Server
  readonly #turns: RequestTurns
  readonly #connections = new Set<Socket>()
  readonly #served = new WeakSet<Socket>()
  /** The requests that wait until the server has stopped listening. If undefined, requests begin at once. */
  #waiting: Array<() => void> | undefined
  #isClosing = false
  #isFreshTimeOver = false
  #lastConnectionMs = 0

  /** Watches the connections of a server. Create this object before the server listens. */
  constructor(server: Server, turns: RequestTurns) {
    this.#server = server
    this.#turns = turns
    server.on("connection", (socket: Socket) => {
      this.#connections.add(socket)
      this.#lastConnectionMs = performance.now()
      socket.once("close", () => this.#connections.delete(socket))
    })
    server.on("request", ({ socket }, response) => {
      this.#served.add(socket)
      response.once("close", () => {
        // The delay lets a waiting request on the same connection begin. Without the delay, the server would close this
        // connection as idle.
        if (this.#isClosing) setImmediate(() => this.#closeIdle())
      })
    })
  }

  /**
   * The number of connections with a request whose answer has not begun. A stream is not counted, because its answer
   * has begun.
   */
  get unanswered(): number {
    let count = 0
    for (const socket of this.#connections) {
      if (this.#turns.isBusy(socket) && !this.#turns.isAnswering(socket)) count += 1
    }
    return count
  }

  /** Begins a request, at once or, if the server is closing, after it has stopped listening. */
  begin(request: () => void): void {
    if (this.#waiting === undefined) request()
    else this.#waiting.push(request)
  }

  /**
   * Stops listening, answers all requests, and closes. When a server stops listening, the operating system resets
   * connections that it has accepted but not yet passed to the server. So the server first holds its answers back until
   * no new client connects. Clients that wait for an answer open no new connection.
   */
  async close(): Promise<void> {
    this.#waiting = []
    await this.#quiet()
    const closed = new Promise<void>((resolve) => {
      // This calls the `close` method of node:net. The `close` method of node:http would also close connections on
      // which no request has arrived yet.
      NetServer.prototype.close.call(this.#server, () => resolve())
    })
    this.#isClosing = true
    const waiting = this.#waiting
    this.#waiting = undefined
    for (const request of waiting) request()
    this.#closeIdle()
    const freshTimer = setTimeout(() => {
      this.#isFreshTimeOver = true
      this.#closeIdle()
    }, freshMs)
    const cutTimer = setTimeout(() => this.#server.closeAllConnections(), drainMs)
    await closed
    // node:http checks its connections with an interval timer, and only its own close method stops the timer. Without
    // this call, the timer would keep the server and everything that it uses in memory.
    this.#server.close()
    clearTimeout(freshTimer)
    clearTimeout(cutTimer)
  }

  /** Waits until no client has connected for `quietMs`. Returns at once if no client is connected. */
  #quiet(): Promise<void> {
    const endMs = performance.now() + holdMs
    return new Promise((resolve) => {
      const look = () => {
        const nowMs = performance.now()
        const isQuiet = this.#connections.size === 0 || nowMs - this.#lastConnectionMs >= quietMs
        if (isQuiet || nowMs >= endMs) resolve()
        // The event loop first accepts the clients that wait to connect, and then runs `look`.
        else setTimeout(() => setImmediate(look), 10)
      }
      setImmediate(look)
    })
  }

  /**
   * Closes the connections without an open request. A new connection without a first request stays open for `freshMs`.
   */
  #closeIdle(): void {
    for (const socket of this.#connections) {
      if (!this.#turns.isBusy(socket) && (this.#isFreshTimeOver || this.#served.has(socket))) socket.destroySoon()
    }
  }
}
