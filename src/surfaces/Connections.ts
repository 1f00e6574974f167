/**
 * Sets limits for each connection: the time in which the client sends a request, the time in which it reads the answer,
 * and the number of waiting requests. Also answers input that is not valid HTTP.
 */
import { type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"

/**
 * Time limits in milliseconds. If a client takes longer to send its request, it gets status 408, and the pod closes the
 * connection.
 */
export const requestTimeoutsMs = {
  headersTimeout: 20_000,
  // the milliseconds for the whole request, with its body
  requestTimeout: 60_000,
  // A connection stays open for this many milliseconds without a request. Common proxies wait only 60 s, so a proxy
  // closes an idle connection before the pod does.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000
}
export type RequestTimes = typeof requestTimeoutsMs

/**
 * If an answer is complete and the client reads nothing for this many milliseconds, the pod closes the connection and
 * drops the answer.
 */
export const unreadAnswerTimeoutMs = 60_000

/**
 * The maximum number of requests of one connection that can wait until earlier requests are answered. The limit
 * disturbs no ordinary client, because a browser sends a request only after the previous answer, and load tools send
 * fewer requests than this.
 */
export const waitingMax = 100
// The milliseconds in which the client can read the last answers. If the pod closed the connection while some input was
// unread, the operating system would drop these answers.
const lingerMs = 2_000

interface WaitingRequest {
  readonly response: ServerResponse
  readonly begin: () => void
}

interface Turn {
  readonly response: ServerResponse
  readonly waiting: Array<WaitingRequest>
}

/** Drops everything that the client sends from now on. The input is not parsed into requests, so it takes no memory. */
const dropInput = (socket: Socket): void => {
  socket.removeAllListeners("data")
  // Node's HTTP parser no longer gets the input.
  socket.on("data", () => {})
  socket.resume()
}

/**
 * Closes a connection on which the client might still send. For a while the pod still receives the input and drops it,
 * so that the client gets every answer.
 */
const linger = (socket: Socket): void => {
  socket.end()
  const patience = setTimeout(() => socket.destroy(), lingerMs)
  socket.once("close", () => clearTimeout(patience))
}

/**
 * Runs the requests of a connection one after another. Node starts all requests of one packet at once. Without this
 * class, a client could send a thousand requests and read nothing, and the pod would keep a thousand answers in memory.
 */
export class RequestTurns {
  readonly #turns = new WeakMap<Socket, Turn>()
  readonly #full = new WeakSet<Socket>()

  /**
   * Starts the request now, or when the earlier requests of the connection are answered. If too many requests wait, the
   * pod answers only the waiting requests, and drops everything that the client sends later. The last answer then has
   * `connection: close`.
   */
  take(socket: Socket, response: ServerResponse, begin: () => void): void {
    if (this.#full.has(socket)) return
    const turn = this.#turns.get(socket)
    if (turn === undefined) this.#begin(socket, response, [], begin)
    else if (turn.waiting.length < waitingMax) turn.waiting.push({ response, begin })
    else {
      this.#full.add(socket)
      // The pod starts to drop the input only when the parser has read the bytes that it already has.
      setImmediate(() => dropInput(socket))
      // After an answer with `connection: close`, node:http calls `destroySoon` to close the connection.
      socket.destroySoon = () => linger(socket)
      turn.waiting.at(-1)?.response.setHeader("connection", "close")
    }
  }

  /** True while a request of the connection is not completely answered. */
  isBusy(socket: Socket): boolean {
    return this.#turns.has(socket)
  }

  /**
   * True while the pod sends an answer on the connection. The client would read any other bytes as a part of this
   * answer.
   */
  isAnswering(socket: Socket): boolean {
    return this.#turns.get(socket)?.response.headersSent === true
  }

  #begin(socket: Socket, response: ServerResponse, waiting: Turn["waiting"], begin: () => void): void {
    this.#turns.set(socket, { response, waiting })
    // The time limit starts only here, because node:http sets its own timeout when it has read the whole request.
    response.once("prefinish", () => socket.setTimeout(unreadAnswerTimeoutMs))
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
