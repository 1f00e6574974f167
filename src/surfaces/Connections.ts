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

/** If the client reads no byte of a complete answer for this long, the connection is closed and the answer dropped. */
export const unreadAnswerTimeoutMs = 60_000

const waitingMax = 100 // pipelined requests on one connection; browsers send none, load tools fewer

interface Turn {
  readonly response: ServerResponse
  readonly waiting: Array<() => void>
}

/**
 * Runs the requests of a connection one after the other. Node passes on all requests of one packet at once, so for a client
 * that sends a thousand requests and never reads, a thousand answers would be kept in memory.
 */
export class RequestTurns {
  readonly #turns = new WeakMap<Socket, Turn>()

  /**
   * Starts the request now, or when the earlier answers are sent. Closes a connection with too many waiting requests.
   */
  take(socket: Socket, response: ServerResponse, begin: () => void): void {
    const turn = this.#turns.get(socket)
    if (turn === undefined) this.#begin(socket, response, [], begin)
    else if (turn.waiting.length === waitingMax) socket.destroy()
    else turn.waiting.push(() => this.#begin(socket, response, turn.waiting, begin))
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
      else next()
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
