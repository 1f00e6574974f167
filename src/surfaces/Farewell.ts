/**
 * How a server closes without losing a request: it serves every connection that the system has accepted, and cuts off
 * no answer.
 */
import type { Server } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import type { RequestTurns } from "./Connections.ts"

const drainMs = 8_000 // of the 10 s that a supervisor allows for a stop, with the grace before; longer requests are cut off
const quietMs = 50 // no client connects for this long: then all of them wait for an answer, or have left
const holdMs = 1_000 // if clients never stop connecting, the server closes all the same
const freshMs = 2_000 // within this time a client sends the request for which it has connected

export class Farewell {
  readonly #server: Server
  readonly #turns: RequestTurns
  readonly #connections = new Set<Socket>()
  readonly #served = new WeakSet<Socket>()
  /** Requests that begin when the server has stopped listening. Undefined: requests begin at once. */
  #held: Array<() => void> | undefined
  #isClosing = false
  #isFreshTimeOver = false
  #lastConnectionMs = 0

  /** Watches the connections of a server. It must be made before the server listens. */
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
        // The turn of the next request on this connection has begun by then.
        if (this.#isClosing) setImmediate(() => this.#closeIdle())
      })
    })
  }

  /** How many connections have a request whose answer has not begun. A stream has begun its answer. */
  get unanswered(): number {
    let count = 0
    for (const socket of this.#connections) {
      if (this.#turns.isBusy(socket) && !this.#turns.isAnswering(socket)) count += 1
    }
    return count
  }

  /** Begins a request, now or when the server has stopped listening. */
  begin(request: () => void): void {
    if (this.#held === undefined) request()
    else this.#held.push(request)
  }

  /**
   * Stops listening, answers what was asked, and closes. The system resets connections that it has let in and the server has
   * not yet seen. So the server first holds its answers back: clients that wait for one open no connection meanwhile.
   */
  async close(): Promise<void> {
    this.#held = []
    await this.#quiet()
    const closed = new Promise<void>((resolve) => {
      // The method of node:http would also close connections whose first request is still on its way.
      NetServer.prototype.close.call(this.#server, () => resolve())
    })
    this.#isClosing = true
    const held = this.#held
    this.#held = undefined
    for (const request of held) request()
    this.#closeIdle()
    const fresh = setTimeout(() => {
      this.#isFreshTimeOver = true
      this.#closeIdle()
    }, freshMs)
    const cut = setTimeout(() => this.#server.closeAllConnections(), drainMs)
    await closed
    // node:http looks at its connections at intervals until its own close. The interval would keep all that the server serves.
    this.#server.close()
    clearTimeout(fresh)
    clearTimeout(cut)
  }

  /** Waits until no client has connected for a moment. If none is connected at all, there is nothing to wait for. */
  #quiet(): Promise<void> {
    const endMs = performance.now() + holdMs
    return new Promise((resolve) => {
      const look = () => {
        const nowMs = performance.now()
        const isQuiet = this.#connections.size === 0 || nowMs - this.#lastConnectionMs >= quietMs
        if (isQuiet || nowMs >= endMs) resolve()
        else setTimeout(() => setImmediate(look), 10) // after this turn of the event loop has accepted who waits
      }
      setImmediate(look)
    })
  }

  /** A connection that served a request is closed at once; a new one still brings its first request. */
  #closeIdle(): void {
    for (const socket of this.#connections) {
      if (!this.#turns.isBusy(socket) && (this.#isFreshTimeOver || this.#served.has(socket))) socket.destroySoon()
    }
  }
}
