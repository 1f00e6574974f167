/** The small router with which the tRPC exchanges were recorded, a server for this router, and a raw HTTP client. */
import { request as httpRequest, createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import {
  refuseWith,
  serializeRefusal,
  trpcCodes,
  type TrpcCode,
  type TrpcOutcome,
  type TrpcRefusal
} from "../../src/surfaces/TrpcError.ts"
import {
  connectedFrame,
  errorFrame,
  itemFrame,
  refuseSubscription,
  subscriptionHeaders
} from "../../src/surfaces/TrpcSubscription.ts"
import { serveTrpc, type TrpcWireSettings } from "../../src/surfaces/TrpcWire.ts"
import type { TrpcCalls, TrpcClient } from "../../src/surfaces/TrpcCalls.ts"

/** The last event of a finished subscription. The subscriptions of the pod never finish, but the recorded ones do. */
const returnFrame = "event: return\ndata: \n\n\n"

export interface Caller {
  readonly auth: string | undefined
  readonly response: ServerResponse
}

type Procedure =
  | {
      readonly kind: "query" | "mutation"
      readonly readsInput?: boolean
      readonly run: (input: unknown, caller: Caller, client: TrpcClient) => TrpcOutcome | Promise<TrpcOutcome>
    }
  | {
      readonly kind: "subscription"
      readonly readsInput?: boolean
      /** Returns the messages that follow the first message of the subscription, or the refusal. */
      readonly frames: (input: unknown, lastEventId: string | undefined) => ReadonlyArray<string> | TrpcRefusal
    }

export const ok = (data: unknown): TrpcOutcome => ({ ok: true, data })

export const refused = (code: TrpcCode, message: string, rest: object = {}): TrpcOutcome => ({
  ok: false,
  code,
  message,
  ...rest
})

const fields = (input: unknown): Record<string, unknown> =>
  typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {}

const createKey = (input: unknown): TrpcOutcome => {
  const { keyName, scope } = fields(input)
  const issues = [
    ...(typeof keyName === "string" && keyName !== "" ? [] : [{ path: ["keyName"], message: "A name is needed" }]),
    ...(Array.isArray(scope) && scope.length > 0 ? [] : [{ path: ["scope"], message: "One scope is needed" }])
  ]
  if (issues.length > 0) return refused("BAD_REQUEST", JSON.stringify(issues))
  return ok({ id: "k1", keyName, createdAt: new Date("2026-01-01T00:00:00Z") })
}

const listKeys = (input: unknown): TrpcOutcome => {
  const { limit } = fields(input)
  return ok({ items: [{ id: "e1" }, { id: "e2" }].slice(0, typeof limit === "number" ? limit : 50) })
}

/** Procedures by path. */
export type Procedures = Readonly<Record<string, Procedure>>

export const router: Procedures = {
  hello: { kind: "query", readsInput: false, run: () => ok("hi") },
  "apiKeys.list": { kind: "query", run: listKeys },
  "apiKeys.create": { kind: "mutation", run: createKey },
  nothing: { kind: "query", readsInput: false, run: () => ok(undefined) },
  nul: { kind: "query", readsInput: false, run: () => ok(null) },
  fail: {
    kind: "query",
    run: (input) => {
      const code = String(fields(input)["code"])
      return code in trpcCodes ? refused(code as TrpcCode, `m ${code}`) : refused("BAD_REQUEST", "no such code")
    }
  },
  crash: { kind: "query", readsInput: false, run: () => Promise.reject(new Error("db password=hunter2")) },
  me: {
    kind: "query",
    readsInput: false,
    run: (_, { auth }) => (auth === undefined ? refused("UNAUTHORIZED", "no session") : ok({ who: auth }))
  },
  // This call waits for a turn of the event loop, so it ends after the calls that do not wait. A test compares the
  // order of the results with the recording, but does not compare times.
  slow: {
    kind: "query",
    readsInput: false,
    run: () => new Promise((resolve) => setImmediate(() => resolve(ok("slow"))))
  },
  onEvent: {
    kind: "subscription",
    frames: (input, lastEventId) => {
      const from = lastEventId ?? fields(input)["lastEventId"]
      if (typeof from === "number") return refuseWith("BAD_REQUEST", "lastEventId is a text")
      const numbers = [1, 2, 3].map((step) => Number(from ?? 0) + step)
      return [...numbers.map((n) => itemFrame({ type: "entity.created", n }, String(n))), returnFrame]
    }
  },
  onErr: {
    kind: "subscription",
    frames: () => [itemFrame("a"), errorFrame(serializeRefusal(refuseWith("FORBIDDEN", "nope"), "onErr"))]
  },
  echo: { kind: "query", run: (input) => ok({ input }) },
  reason: {
    kind: "query",
    run: () => refused("FORBIDDEN", "not through this door", { data: { reason: "GRANT_DOOR_UNSUPPORTED", code: "X" } })
  }
}

/**
 * Uses a plain object on purpose. Every object inherits some properties, and the test shows that the inherited
 * properties do not become procedures.
 */
export const callsOf = (procedures: Procedures): TrpcCalls<Caller> => {
  const kinds: Record<string, Procedure["kind"]> = {}
  for (const [path, one] of Object.entries(procedures)) kinds[path] = one.kind
  return {
    kindOf: (path) => kinds[path],
    readsInput: (path) => procedures[path]?.readsInput ?? true,
    call: async (path, input, caller, client) => {
      const one = procedures[path]
      return one === undefined || one.kind === "subscription"
        ? refused("NOT_FOUND", "gone")
        : one.run(input, caller, client)
    },
    subscribe: (path, input, lastEventId, { response }) => {
      const one = procedures[path]
      if (one?.kind !== "subscription") throw new Error(`${path} is no subscription`)
      const answer = one.frames(input, lastEventId)
      if ("ok" in answer)
        return refuseSubscription(response, serializeRefusal(answer, path), reconnectAfterInactivityMs)
      response.writeHead(200, subscriptionHeaders)
      response.end(connectedFrame(reconnectAfterInactivityMs) + answer.join(""))
    }
  }
}

const reconnectAfterInactivityMs = 3000 // The recorded exchanges contain the same value.

export const settings: TrpcWireSettings = {
  reconnectAfterInactivityMs,
  basePath: "/trpc",
  maxBatchSize: 5,
  maxBodyBytes: 2000
}

export interface FixtureOptions {
  readonly procedures?: Procedures
  readonly settings?: Partial<TrpcWireSettings>
  readonly refuse?: NonNullable<TrpcCalls<Caller>["refuse"]>
  readonly takesJson?: NonNullable<TrpcCalls<Caller>["takesJson"]>
  /** Runs before the tRPC code. In the pod, other code runs at this moment too. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => void
  /** Called at the end of each request with its outcome. */
  readonly after?: (outcome: "resolved" | "rejected") => void
}

/** Starts a server on a free port of 127.0.0.1. The server closes when the scope of `await using` ends. */
export const aServer = async (options: FixtureOptions = {}) => {
  const { refuse, takesJson } = options
  const calls = {
    ...callsOf(options.procedures ?? router),
    ...(refuse ? { refuse } : {}),
    ...(takesJson ? { takesJson } : {})
  }
  const serve = serveTrpc(calls, { ...settings, ...options.settings })
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    options.before?.(request, response)
    serve(request, response, { auth: request.headers.authorization, response }).then(
      () => options.after?.("resolved"),
      () => options.after?.("rejected")
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/trpc`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** Sends one request exactly as it is written, without a client that could change the path or the headers. */
export const exchange = (port: number, { body, ...rest }: RawRequest): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, agent: false, ...rest }, (response) => {
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("error", reject)
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString("utf8")
        })
      )
    })
    sent.on("error", reject)
    sent.end(body)
  })

/**
 * Returns a promise `happened`, and the function `happen` that settles it. So a test can wait for an event and needs no
 * fixed pause.
 */
export const anEvent = <Value = void>() => {
  let happen: (value: Value) => void = () => {}
  const happened = new Promise<Value>((resolve) => {
    happen = resolve
  })
  return { happened, happen }
}
