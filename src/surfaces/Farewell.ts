/**
 * Closes a server without losing a request. The server still serves every connection that the system has accepted. No
 * answer is cut off within the time limit.
 */
import type { Server } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import type { RequestTurns } from "./Connections.ts"

const drainMs = 8_000 // then running requests are cut off; a supervisor allows 10 s for a stop, together with the grace period
const quietMs = 50 // if no client connects for this long, all clients wait for an answer or have disconnected
const holdMs = 1_000 // longest wait for such a quiet moment; then the server closes, even if clients continue to connect
const freshMs = 2_000 // longest normal time between the connection of a client and its first request

export class Farewell {
  readonly #server: Server
  readonly #turns: RequestTurns
  readonly #connections = new Set<Socket>()
  readonly #served = new WeakSet<Socket>()
  /** Requests that wait until the server has stopped listening. If undefined, requests begin at once. */
  #waiting: Array<() => void> | undefined
  #isClosing = false
  #isFreshTimeOver = false
  #lastConnectionMs = 0

  /** Watches the connections of a server. Create it before the server listens. */
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
        // `setImmediate` delays this until a waiting request on the same connection has begun. Otherwise the connection
        // would be closed as idle.
        if (this.#isClosing) setImmediate(() => this.#closeIdle())
      })
    })
  }

  /**
   * How many connections have a request whose answer has not begun. A stream does not count, because its answer has
   * begun.
   */
  get unanswered(): number {
    let count = 0
    for (const socket of this.#connections) {
      if (this.#turns.isBusy(socket) && !this.#turns.isAnswering(socket)) count += 1
    }
    return count
  }

  /** Begins a request now. While the server closes, the request begins as soon as the server has stopped listening. */
  begin(request: () => void): void {
    if (this.#waiting === undefined) request()
    else this.#waiting.push(request)
  }

  /**
   * Stops listening, answers all requests, and closes. When the server stops listening, the system resets connections
   * that it has accepted but that the server has not seen yet. To prevent this, the server first holds its answers
   * back, because clients that wait for an answer open no new connection.
   */
  async close(): Promise<void> {
    this.#waiting = []
    await this.#quiet()
    const closed = new Promise<void>((resolve) => {
      // The close method of node:http is not used. It would also close connections whose first request has not arrived
      // yet.
      NetServer.prototype.close.call(this.#server, () => resolve())
    })
    this.#isClosing = true
    const waiting = this.#waiting
    this.#waiting = undefined
    for (const request of waiting) request()
    this.#closeIdle()
    const fresh = setTimeout(() => {
      this.#isFreshTimeOver = true
      this.#closeIdle()
    }, freshMs)
    const cut = setTimeout(() => this.#server.closeAllConnections(), drainMs)
    await closed
    // node:http checks its connections with an interval timer until its own close method is called. Without this call,
    // the timer would keep the server in memory, with everything that the server uses.
    this.#server.close()
    clearTimeout(fresh)
    clearTimeout(cut)
  }

  /** Waits until no client has connected for a moment. Returns at once if no client is connected. */
  #quiet(): Promise<void> {
    const endMs = performance.now() + holdMs
    return new Promise((resolve) => {
      const look = () => {
        const nowMs = performance.now()
        const isQuiet = this.#connections.size === 0 || nowMs - this.#lastConnectionMs >= quietMs
        if (isQuiet || nowMs >= endMs) resolve()
        else setTimeout(() => setImmediate(look), 10) // in this turn the event loop first accepts the clients that wait, and then runs `look`
      }
      setImmediate(look)
    })
  }

  /**
   * Closes the connections without an open request. A new connection that has not yet sent its first request stays open
   * for a while.
   */
  #closeIdle(): void {
    for (const socket of this.#connections) {
      if (!this.#turns.isBusy(socket) && (this.#isFreshTimeOver || this.#served.has(socket))) socket.destroySoon()
    }
  }
}
