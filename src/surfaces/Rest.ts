/** Hub REST: translates HTTP to operations and their outcomes back. No rule lives here. */
import { Effect, Either, Runtime } from "effect"
import * as FindMyWay from "find-my-way-ts"
import type { Dispatch, Outcome } from "../doors/Dispatch.ts"
import { type Failure, Forbidden, invalid, type Invalid, MethodNotAllowed, NotFound, wireOf } from "../doors/Failure.ts"
import type { RestInput, RestOperation } from "../doors/Operation.ts"
import { readJson } from "./Body.ts"
import { type Exchange, outcomeHeaders, presentedIn, sendJson } from "./Exchange.ts"
import { textFault } from "./Json.ts"

export interface RestSettings {
  readonly bodyLimitBytes: number
  /** A second mount of the same routes: `from` is answered as `to`. */
  readonly alias: { readonly from: string; readonly to: string }
  /** Whether a page of this origin may change something without a key of its own. */
  readonly isOriginAllowed: (request: Exchange["request"]) => boolean
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
type Method = (typeof methods)[number]

const fail = (exchange: Exchange, failure: Failure, headers: Readonly<Record<string, string>> = {}) => {
  const { status, body, headers: own } = wireOf(failure)
  sendJson(exchange, status, body, { ...headers, ...own })
}

/** The query of a URL: each parameter once, in text that can be kept. */
const queryOf = (search: string): Either.Either<Record<string, string>, Invalid> => {
  const query: Record<string, string> = {}
  if (search === "") return Either.right(query)
  for (const [name, value] of new URLSearchParams(search)) {
    if (Object.hasOwn(query, name)) return Either.left(invalid(name, "is given more than once"))
    const fault = textFault(name) ?? textFault(value) ?? (value.includes("\ufffd") ? "is not UTF-8" : undefined)
    if (fault !== undefined) return Either.left(invalid(name.slice(0, 100), fault))
    query[name] = value
  }
  return Either.right(query)
}

const secretNames = /^(?:access_?token|api_?key|key|token|session_?token)$/i

/** Serves the REST operations. Answers false for a path that is none of theirs. */
export const serveRest = (
  operations: ReadonlyArray<RestOperation>,
  dispatch: typeof Dispatch.Service,
  settings: RestSettings,
  runtime: Runtime.Runtime<never>
): ((exchange: Exchange) => boolean) => {
  const router = FindMyWay.make<RestOperation>({ ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 4096 })
  for (const operation of operations) router.on(operation.method as Method, operation.path as `/${string}`, operation)
  const runFork = Runtime.runFork(runtime)
  const canonical = (path: string) =>
    path === settings.alias.from || path.startsWith(`${settings.alias.from}/`)
      ? settings.alias.to + path.slice(settings.alias.from.length)
      : path

  const answered = (exchange: Exchange) => (outcome: Outcome) => {
    const headers = outcomeHeaders(outcome)
    if (Either.isLeft(outcome.result)) fail(exchange, outcome.result.left, headers)
    else sendJson(exchange, 200, outcome.result.right, headers)
  }

  const run = (exchange: Exchange, operation: RestOperation, params: Record<string, string | undefined>) => {
    const { request } = exchange
    let body: { readonly text: string; readonly value: unknown } | undefined
    const input = Effect.gen(function* () {
      const query = yield* queryOf(exchange.search)
      const path: Record<string, string> = {}
      for (const [name, value] of Object.entries(params)) {
        const fault = textFault(value ?? "")
        if (fault !== undefined) return yield* invalid(name, fault)
        path[name] = value ?? ""
      }
      if (operation.takesBody) body ??= yield* readJson(request, settings.bodyLimitBytes)
      return { path, query, body: body?.value } satisfies RestInput
    })
    const header = request.headers["idempotency-key"]
    const cancel = dispatch.start(
      operation,
      {
        surface: "rest",
        presented: presentedIn(request),
        requestId: exchange.requestId,
        client: exchange.client,
        input,
        ...(typeof header === "string"
          ? {
              idempotent: {
                header,
                describe: () => ({
                  method: operation.method,
                  route: `${exchange.path}?${exchange.search}`,
                  body: body?.text ?? ""
                })
              }
            }
          : {})
      },
      answered(exchange)
    )
    exchange.response.on("close", () => {
      if (!exchange.response.writableEnded) cancel()
    })
  }

  /** What is at no door is nobody's business: a stranger gets 401 here as everywhere, a caller gets 404. */
  const absent = (exchange: Exchange, failure: Failure) =>
    runFork(Effect.either(dispatch.identify("rest", presentedIn(exchange.request)))).addObserver((exit) => {
      const refused = exit._tag === "Success" && Either.isLeft(exit.value) ? exit.value.left : failure
      fail(exchange, refused)
    })

  return (exchange) => {
    const { request } = exchange
    const path = canonical(exchange.path)
    const isHub = path === settings.alias.to || path.startsWith(`${settings.alias.to}/`)
    const method = (request.method === "HEAD" ? "GET" : request.method) as Method
    let found: ReturnType<typeof router.find>
    try {
      found = methods.includes(method) ? router.find(method, path) : undefined
    } catch {
      fail(exchange, invalid("", "The path is not valid URL encoding."))
      return true
    }
    if (found !== undefined) {
      const operation = found.handler
      if (isHub && [...new URLSearchParams(exchange.search).keys()].some((name) => secretNames.test(name))) {
        fail(
          exchange,
          invalid("", "Send the credential in a header, never in the URL; replace the one that was sent here.")
        )
      } else if (operation.kind === "mutation" && !("scope" in operation.door) && !settings.isOriginAllowed(request)) {
        fail(
          exchange,
          new Forbidden({ code: "ORIGIN_FORBIDDEN", why: "This origin may not do that.", required: [], granted: [] })
        )
      } else run(exchange, operation, found.params)
      return true
    }
    const allowed = methods.filter((other) => hasRoute(router, other, path))
    if (allowed.length > 0) {
      if (isHub) absent(exchange, new MethodNotAllowed({ allowed }))
      else fail(exchange, new MethodNotAllowed({ allowed }))
      return true
    }
    if (!isHub) return false
    absent(exchange, new NotFound({ why: "There is no such route." }))
    return true
  }
}

const hasRoute = (router: FindMyWay.Router<RestOperation>, method: Method, path: string): boolean => {
  try {
    return router.find(method, path) !== undefined
  } catch {
    return false
  }
}
