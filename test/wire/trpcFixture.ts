/** The small router that the tRPC transcripts were recorded from, a server for it, and a raw HTTP client. */
import { request as httpRequest, createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { trpcCodes, type TrpcCode, type TrpcOutcome } from "../../src/surfaces/TrpcError.ts"
import { serveTrpc, type TrpcCalls, type TrpcWireSettings } from "../../src/surfaces/TrpcWire.ts"

export interface Caller {
  readonly auth: string | undefined
}

type Procedure = {
  readonly kind: "query" | "mutation"
  readonly readsInput?: boolean
  readonly run: (input: unknown, caller: Caller, signal: AbortSignal) => TrpcOutcome | Promise<TrpcOutcome>
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
  // Settles after every call that needs no turn of the event loop; the recording shows no more of it.
  slow: {
    kind: "query",
    readsInput: false,
    run: () => new Promise((resolve) => setImmediate(() => resolve(ok("slow"))))
  },
  echo: { kind: "query", run: (input) => ok({ input }) },
  reason: {
    kind: "query",
    run: () => refused("FORBIDDEN", "not through this door", { data: { reason: "GRANT_DOOR_UNSUPPORTED", code: "X" } })
  }
}

/** Looks kinds up in a plain object on purpose: its inherited properties must not become procedures. */
export const callsOf = (procedures: Procedures): TrpcCalls<Caller> => {
  const kinds: Record<string, Procedure["kind"]> = {}
  for (const [path, one] of Object.entries(procedures)) kinds[path] = one.kind
  return {
    kindOf: (path) => kinds[path],
    readsInput: (path) => procedures[path]?.readsInput ?? true,
    call: async (path, input, caller, signal) =>
      procedures[path]?.run(input, caller, signal) ?? refused("NOT_FOUND", "gone")
  }
}

export const settings: TrpcWireSettings = {
  basePath: "/trpc",
  maxBatchSize: 5,
  maxBodyBytes: 2000
}

export interface FixtureOptions {
  readonly procedures?: Procedures
  readonly settings?: Partial<TrpcWireSettings>
  readonly refuse?: NonNullable<TrpcCalls<Caller>["refuse"]>
  readonly takesJson?: NonNullable<TrpcCalls<Caller>["takesJson"]>
  /** Runs before the wire, as the surfaces around it do. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => void
  /** Gets the outcome of each request. */
  readonly after?: (outcome: "resolved" | "rejected") => void
}

/** A server on a free port of 127.0.0.1, closed when the scope of `await using` ends. */
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
    serve(request, response, { auth: request.headers.authorization }).then(
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

/** Sends one request exactly as written: no client normalises the path or the headers. */
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

/** A promise and the function that settles it, to wait for an event instead of a time. */
export const anEvent = <Value = void>() => {
  let happen: (value: Value) => void = () => {}
  const happened = new Promise<Value>((resolve) => {
    happen = resolve
  })
  return { happened, happen }
}
