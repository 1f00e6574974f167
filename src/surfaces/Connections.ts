/** Limits of one connection: time to send a request and to read its answer, one answer at a time, and an answer to invalid HTTP. */
import { type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"

/** A client that is slower than this is cut off with 408. In milliseconds, as node:http names them. */
export const requestTimeoutsMs = {
  headersTimeout: 20_000,
  requestTimeout: 60_000, // with its body
  keepAliveTimeout: 65_000, // longer than the 60 s of common proxies, so that the proxy closes an idle connection first
  connectionsCheckingInterval: 5_000
}
export type RequestTimes = typeof requestTimeoutsMs

/** If the client reads no byte of a complete answer for this long, the connection is closed and the answer dropped. */
export const unreadAnswerTimeoutMs = 60_000

/** Requests that may wait for the earlier answers of their connection. Browsers send none ahead, load tools fewer. */
export const waitingMax = 100
const lingerMs = 2_000 // for the client to read the last answers; the system would drop them if bytes of it were left unread

interface Waiting {
  readonly response: ServerResponse
  readonly begin: () => void
}

interface Turn {
  readonly response: ServerResponse
  readonly waiting: Array<Waiting>
}

/** Drops what the client sends from here on. No request is made of it, so it takes no memory. */
const dropInput = (socket: Socket): void => {
  socket.removeAllListeners("data")
  socket.on("data", () => {}) // takes the input away from the parser of node:http
  socket.resume()
}

/** Ends a connection whose client may still send, and reads on for a while, so that the client gets every answer. */
const linger = (socket: Socket): void => {
  socket.end()
  const patience = setTimeout(() => socket.destroy(), lingerMs)
  socket.once("close", () => clearTimeout(patience))
}

/**
 * Runs the requests of a connection one after the other. Node passes on all requests of one packet at once, so for a client
 * that sends a thousand requests and never reads, a thousand answers would be kept in memory.
 */
export class RequestTurns {
  readonly #turns = new WeakMap<Socket, Turn>()
  readonly #full = new WeakSet<Socket>()

  /**
   * Starts the request now, or when the earlier answers are sent. If too many wait, those are answered, the last one with
   * `connection: close`, and whatever the client sends after them is dropped.
   */
  take(socket: Socket, response: ServerResponse, begin: () => void): void {
    if (this.#full.has(socket)) return
    const turn = this.#turns.get(socket)
    if (turn === undefined) this.#begin(socket, response, [], begin)
    else if (turn.waiting.length < waitingMax) turn.waiting.push({ response, begin })
    else {
      this.#full.add(socket)
      setImmediate(() => dropInput(socket)) // when the parser is done with the bytes that it has
      // node:http closes the connection by this method after an answer with this header.
      socket.destroySoon = () => linger(socket)
      turn.waiting.at(-1)?.response.setHeader("connection", "close")
    }
  }

  /** Whether a request of the connection is not answered yet. */
  isBusy(socket: Socket): boolean {
    return this.#turns.has(socket)
  }

  /** Whether an answer is being sent on the connection; further bytes would be read as part of that answer. */
  isAnswering(socket: Socket): boolean {
    return this.#turns.get(socket)?.response.headersSent === true
  }

  #begin(socket: Socket, response: ServerResponse, waiting: Turn["waiting"], begin: () => void): void {
    this.#turns.set(socket, { response, waiting })
    response.once("prefinish", () => socket.setTimeout(unreadAnswerTimeoutMs)) // node:http adds its own again when it has read all
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
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The extensions of a chunk are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time."]
}

/** Sends an error to a client whose input is not a complete HTTP request, if the client can still read an answer. */
export const answerProtocolErrors = (server: Server, turns: RequestTurns): void => {
  server.on("clientError", (cause: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || turns.isAnswering(socket)) {
      socket.destroy()
      return
    }
    const [status, error] = protocolErrors[cause.code ?? ""] ?? [400, "This is not HTTP."]
    const body = JSON.stringify({ error, ...(status === 400 ? { details: [{ path: "", message: error }] } : {}) })
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    )
    socket.destroySoon()
  })
}
