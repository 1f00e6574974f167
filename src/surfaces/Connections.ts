/**
 * Limits each connection: the time to send a request, the time to read its answer, and one answer at a time. Also
 * answers invalid HTTP.
 */
import { type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"

/**
 * Time limits in milliseconds. If a client sends its request more slowly, it gets status 408 and its connection is
 * closed.
 */
export const requestTimeoutsMs = {
  headersTimeout: 20_000,
  requestTimeout: 60_000, // for the whole request, with its body
  keepAliveTimeout: 65_000, // longer than the 60 s of common proxies, so that the proxy closes an idle connection first
  connectionsCheckingInterval: 5_000
}
export type RequestTimes = typeof requestTimeoutsMs

/**
 * In milliseconds. If an answer is complete and the client reads none of it for this long, the connection is closed and
 * the answer is dropped.
 */
export const unreadAnswerTimeoutMs = 60_000

/**
 * How many requests of one connection may wait until its earlier answers are sent. The limit disturbs no ordinary
 * client: browsers send a request only after the previous answer, and load tools send fewer requests than this.
 */
export const waitingMax = 100
const lingerMs = 2_000 // time for the client to read the last answers; the system would drop these answers if the pod closed the connection while input is unread

interface Waiting {
  readonly response: ServerResponse
  readonly begin: () => void
}

interface Turn {
  readonly response: ServerResponse
  readonly waiting: Array<Waiting>
}

/** Drops everything that the client sends from now on. The input is not parsed into requests, so it takes no memory. */
const dropInput = (socket: Socket): void => {
  socket.removeAllListeners("data")
  socket.on("data", () => {}) // takes the input away from the parser of node:http
  socket.resume()
}

/**
 * Ends a connection on which the client may still send. The pod receives the input for a while longer and drops it, so
 * that the client gets every answer.
 */
const linger = (socket: Socket): void => {
  socket.end()
  const patience = setTimeout(() => socket.destroy(), lingerMs)
  socket.once("close", () => clearTimeout(patience))
}

/**
 * Runs the requests of a connection one after another. Node passes on all requests of one packet at once. If a client
 * sent a thousand requests and never read, the pod would otherwise keep a thousand answers in memory.
 */
export class RequestTurns {
  readonly #turns = new WeakMap<Socket, Turn>()
  readonly #full = new WeakSet<Socket>()

  /**
   * Starts the request now, or after the earlier answers were sent. If too many requests wait, the pod answers only the
   * requests that wait. The last answer has `connection: close`, and everything that the client sends later is dropped.
   */
  take(socket: Socket, response: ServerResponse, begin: () => void): void {
    if (this.#full.has(socket)) return
    const turn = this.#turns.get(socket)
    if (turn === undefined) this.#begin(socket, response, [], begin)
    else if (turn.waiting.length < waitingMax) turn.waiting.push({ response, begin })
    else {
      this.#full.add(socket)
      setImmediate(() => dropInput(socket)) // this must wait until the parser has read the bytes that it already has
      // After an answer with `connection: close`, node:http calls `destroySoon` to close the connection.
      socket.destroySoon = () => linger(socket)
      turn.waiting.at(-1)?.response.setHeader("connection", "close")
    }
  }

  /** Whether a request of the connection is not answered yet. */
  isBusy(socket: Socket): boolean {
    return this.#turns.has(socket)
  }

  /**
   * Whether an answer is being sent on the connection. If it is, the client would read any other bytes as part of this
   * answer.
   */
  isAnswering(socket: Socket): boolean {
    return this.#turns.get(socket)?.response.headersSent === true
  }

  #begin(socket: Socket, response: ServerResponse, waiting: Turn["waiting"], begin: () => void): void {
    this.#turns.set(socket, { response, waiting })
    response.once("prefinish", () => socket.setTimeout(unreadAnswerTimeoutMs)) // set only now, because node:http sets its own timeout when it has read the whole request
    response.once("close", () => {
      const next = waiting.shift()
      if (next === undefined || socket.destroyed) this.#turns.delete(socket)
      else this.#begin(socket, next.response, waiting, next.begin)
    })
    begin()
  }
}

const protocolErrors: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The URL and the headers together are longer than 16 KiB."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The chunk extensions of the body are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time."]
}

/**
 * Sends an error to a client whose input is not a complete HTTP request. Sends nothing if the client can no longer read
 * an answer.
 */
export const answerProtocolErrors = (server: Server, turns: RequestTurns): void => {
  server.on("clientError", (cause: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || turns.isAnswering(socket)) {
      socket.destroy()
      return
    }
    const [status, error] = protocolErrors[cause.code ?? ""] ?? [
      400,
      "The pod cannot read this request: it is not valid HTTP."
    ]
    const body = JSON.stringify({ error, ...(status === 400 ? { details: [{ path: "", message: error }] } : {}) })
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    )
    socket.destroySoon()
  })
}
