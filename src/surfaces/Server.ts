/**
 * The HTTP server. It accepts a request, gives it an id and passes it to the part of the pod (such as REST or MCP) that
 * serves its path.
 */
import { Cause, Context, Data, Effect, Layer, Runtime, type Tracer } from "effect"
import { setMaxListeners } from "node:events"
import { createServer, type IncomingMessage, type Server as NodeServer, type ServerResponse } from "node:http"
import { createServer as createNetServer, type Server as NetServer } from "node:net"
import { invalid } from "../doors/Failure.ts"
import { logInternalError } from "../doors/Recovery.ts"
import { step } from "../platform/StartSteps.ts"
import type { BodyMemory } from "./BodyMemory.ts"
import { addressHeader, listenOnSocket } from "./AdminSocket.ts"
import { answerProtocolErrors, type RequestTimes, requestTimeoutsMs, RequestTurns } from "./Connections.ts"
import { GracefulClose } from "./GracefulClose.ts"
import {
  type Exchange,
  noteOperator,
  presentedCredential,
  repeatedHeader,
  requestIdOf,
  sendFailure
} from "./Exchange.ts"
import { proxyReport } from "./ProxyReport.ts"
import { clientAddress, cors, type OriginSettings } from "./Origins.ts"

/**
 * The reason is `taken` if another process uses the port. It is `refused` if the system does not let the pod listen at
 * this address. For example, the address does not belong to this machine.
 */
export class ListenRefused extends Data.TaggedError("ListenRefused")<{
  readonly host: string
  readonly port: number
  readonly reason: "taken" | "refused"
  readonly settings: AddressSettings
}> {}

/** The settings of an address: `POD` stands for POD_HOST and POD_PORT, `POD_METRICS` for those of the metrics. */
export type AddressSettings = "POD" | "POD_METRICS"

/**
 * One part of the pod, such as MCP or the console: its path, and the function that answers the requests for this path.
 */
export interface Mount {
  /** The path. All paths below it belong to the same part of the pod, unless `isSinglePath` is true. */
  readonly at: string
  /** True if nothing is below the path. A slash at its end is allowed. */
  readonly isSinglePath?: true
  readonly handle: (exchange: Exchange) => void
}

export interface ServerSettings extends OriginSettings {
  readonly host: string
  /** The port for the network. Null if the pod must not listen on the network. */
  readonly port: number | null
  readonly trustProxy: ReadonlyArray<string>
  /**
   * The parts of the pod that have a path of their own, such as MCP. If several paths match a request, the server uses
   * the longest path.
   */
  readonly mounts: ReadonlyArray<Mount>
  /**
   * The server calls this function if no entry of `mounts` has the path of the request. The function returns false if
   * it does not answer the request.
   */
  readonly rest: (exchange: Exchange) => boolean
  /** Answers every request that neither a function of `mounts` nor `rest` answers. */
  readonly unknownPath: (exchange: Exchange) => void
  /** Counts the memory of the bodies that the pod reads over REST, tRPC and MCP. */
  readonly memory: BodyMemory
  /** Makes the public address of the pod from the port. The port is known only when the pod listens. */
  readonly addressOf: (port: number) => string
  /**
   * The path of the socket over which the operator calls the pod. Undefined if the pod has no socket. If `port` is
   * null, the pod listens only on this socket.
   */
  readonly adminSocket: string | undefined
  /**
   * For this many milliseconds a stopping pod still accepts and answers requests. During this time, the pod asks
   * clients to replace the connections that they keep open. So no request is on its way when the connections close.
   */
  readonly stopGraceMs: number
  /** Default: `requestTimeoutsMs`. Tests set shorter times. */
  readonly requestTimes?: RequestTimes | undefined
  /** Begins the span of a request. Undefined if spans are not collected. */
  readonly beginSpan: ((request: IncomingMessage) => Tracer.Span) | undefined
  /** The server calls this function once for every request, when the answer was sent or the client has disconnected. */
  readonly finished: (exchange: Exchange, durationMs: number) => void
}

const addSecurityHeaders = (response: ServerResponse, requestId: string) => {
  response.setHeader("x-request-id", requestId)
  response.setHeader("x-content-type-options", "nosniff")
  response.setHeader("x-frame-options", "DENY")
  response.setHeader("referrer-policy", "no-referrer")
  response.setHeader("cache-control", "no-store")
}

export class Server extends Context.Tag("pod/Server")<
  Server,
  {
    /** The port on which the pod listens. 0 if it does not listen on the network. */
    readonly port: number
  }
>() {
  /**
   * The server starts to listen only when everything that it serves is ready. When the scope closes, the server asks
   * its clients to use new connections, stops accepting connections, answers the open requests and closes.
   */
  static readonly layer = (settings: ServerSettings) => Layer.scoped(this, startServer(settings))
}

// A client can send a whole URL in the request line (RFC 9112 §3.2.2), as clients of a proxy do.
const targetOf = (url: string): string => (url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "") || "/")

const stoppingSignal = (): AbortController => {
  const stopping = new AbortController()
  // each open stream adds one listener, so Node must accept any number of listeners
  setMaxListeners(0, stopping.signal)
  return stopping
}

export interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Fails if another program uses the port, or if the system refuses the address. `settings` are those of the address,
 * which the message of the failure names.
 */
export const listenOn = <Listener extends NetServer>(
  listener: Listener,
  { host, port }: Address,
  settings: AddressSettings
) =>
  Effect.async<Listener, ListenRefused>((resume) => {
    listener.once("error", (cause: NodeJS.ErrnoException) =>
      resume(new ListenRefused({ host, port, reason: cause.code === "EADDRINUSE" ? "taken" : "refused", settings }))
    )
    listener.listen(port, host, () => resume(Effect.succeed(listener)))
  })

/** Returns the port on which a server listens. With the port 0 in the settings, the system has chosen it. */
export const portOf = (server: NetServer): number => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port")
  return address.port
}

/** Listens for a moment to check the address. So the start of the pod fails early if the pod cannot listen there. */
export const portFree = (address: Address, settings: AddressSettings): Effect.Effect<void, ListenRefused> =>
  Effect.flatMap(
    Effect.suspend(() => listenOn(createNetServer(), address, settings)),
    (probe) => Effect.async<void>((resume) => void probe.close(() => resume(Effect.void)))
  )

const startServer = Effect.fnUntraced(function* (settings: ServerSettings) {
  const runSync = Runtime.runSync(yield* Effect.runtime())
  const turns = new RequestTurns()
  const answerPreflight = cors(settings)
  const addressOf = clientAddress(settings.trustProxy)
  const reportProxy = proxyReport(settings)
  const mounts = settings.mounts
    .map((mount) => ({ ...mount, below: `${mount.at}/` }))
    .sort((one, other) => other.at.length - one.at.length)
  // True while the pod stops. The pod still answers all requests, and tells each client to use a new connection for the
  // next request.
  let isLeaving = false
  const stopping = stoppingSignal()

  const serve = (exchange: Exchange, mount: Mount | undefined) => {
    try {
      if (mount !== undefined) mount.handle(exchange)
      else if (!settings.rest(exchange)) settings.unknownPath(exchange)
    } catch (cause) {
      // An exception here is a bug of the pod. Only this request fails, and the process continues.
      const failure = runSync(logInternalError(Cause.die(cause), exchange.note.route, exchange.requestId))
      const { response } = exchange
      if (!response.headersSent) sendFailure(exchange, failure)
      else if (!response.writableEnded) response.destroy()
    }
  }

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const startedMs = performance.now()
    const url = targetOf(request.url ?? "/")
    request.url = url
    const mark = url.indexOf("?")
    const path = mark === -1 ? url : url.slice(0, mark)
    const mount = mounts.find(
      ({ at, below, isSinglePath }) => path === at || (isSinglePath ? path === below : path.startsWith(below))
    )
    const exchange: Exchange = {
      request,
      response,
      path,
      search: mark === -1 ? "" : url.slice(mark + 1),
      requestId: requestIdOf(request),
      presented: presentedCredential(request),
      client: { address: addressOf(request), userAgent: request.headers["user-agent"] },
      note: { route: mount?.at ?? "", credentialId: undefined },
      span: settings.beginSpan?.(request),
      stopping: stopping.signal
    }
    addSecurityHeaders(response, exchange.requestId)
    reportProxy(request, response, exchange.client.address)
    if (isLeaving) response.setHeader("connection", "close")
    response.on("close", () => {
      settings.memory.release(request)
      settings.finished(exchange, performance.now() - startedMs)
    })
    if (answerPreflight(request, response)) return
    const repeated = repeatedHeader(request)
    if (repeated === undefined) return serve(exchange, mount)
    sendFailure(exchange, invalid(repeated, "The request has this header more than once. Send it once."))
  }

  const gracefulCloses: Array<GracefulClose> = []
  const serverOf = (begin: (request: IncomingMessage, response: ServerResponse) => void): NodeServer => {
    const newServer = createServer(settings.requestTimes ?? requestTimeoutsMs, (request, response) =>
      turns.take(request.socket, response, () => gracefulClose.begin(() => begin(request, response)))
    )
    const gracefulClose = new GracefulClose(newServer, turns)
    answerProtocolErrors(newServer, turns)
    gracefulCloses.push(gracefulClose)
    return newServer
  }

  yield* Effect.addFinalizer(
    Effect.fnUntraced(function* () {
      isLeaving = true
      const requests = gracefulCloses.reduce((sum, { unanswered }) => sum + unanswered, 0)
      if (requests > 0) {
        yield* step("stop", `Finishing ${requests} ${requests === 1 ? "request" : "requests"} …`, { requests })
      }
      yield* Effect.sleep(settings.stopGraceMs)
      stopping.abort()
      yield* Effect.promise(() => Promise.all(gracefulCloses.map((gracefulClose) => gracefulClose.close())))
    })
  )

  const { host } = settings
  const network =
    settings.port === null ? undefined : yield* listenOn(serverOf(handle), { host, port: settings.port }, "POD")
  const port = network === undefined ? 0 : portOf(network)
  if (settings.adminSocket !== undefined) {
    const address = settings.addressOf(port)
    const newServer = serverOf((request, response) => {
      noteOperator(request)
      response.setHeader(addressHeader, address)
      handle(request, response)
    })
    yield* listenOnSocket(newServer, settings.adminSocket)
  }
  return { port }
})
