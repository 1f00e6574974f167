/** The tRPC surfaces: the bridge under the Hub for keys, and /trpc for sign-in sessions. */
import { Cause, Effect, Either, Runtime } from "effect"
import type { CatalogShape } from "../doors/Catalog.ts"
import type { Dispatch } from "../doors/Dispatch.ts"
import type { Outcome, Surface } from "../doors/Call.ts"
import { type Failure, wireAnswerOf } from "../doors/Failure.ts"
import type { Principal } from "../doors/Principal.ts"
import { logInternalError } from "../doors/Recovery.ts"
import type { BodyMemory } from "./BodyMemory.ts"
import { type Exchange, noteOutcome, notePrincipal, presentedCredential } from "./Exchange.ts"
import { isLenient } from "./Prefer.ts"
import { refuseWith, type TrpcCode, type TrpcOutcome, type TrpcRefusal } from "./TrpcError.ts"
import { serveTrpc } from "./TrpcWire.ts"
import { hasSecretIn, secretInUrl } from "./UrlSecrets.ts"

const codeOf: Record<Failure["_tag"], TrpcCode> = {
  Unauthorized: "UNAUTHORIZED",
  Forbidden: "FORBIDDEN",
  GrantDoorUnsupported: "FORBIDDEN",
  Invalid: "BAD_REQUEST",
  NotFound: "NOT_FOUND",
  Conflict: "CONFLICT",
  NotImplemented: "NOT_IMPLEMENTED",
  TooLarge: "PAYLOAD_TOO_LARGE",
  UnsupportedMedia: "UNSUPPORTED_MEDIA_TYPE",
  MethodNotAllowed: "METHOD_NOT_SUPPORTED",
  TooMany: "TOO_MANY_REQUESTS",
  Unavailable: "SERVICE_UNAVAILABLE",
  Broken: "INTERNAL_SERVER_ERROR"
}

/** A failure in the shape of tRPC: the fields that REST sends beside `error` are in `data`, where clients look for them. */
const refusalOf = (failure: Failure): TrpcRefusal => {
  const { body, headers } = wireAnswerOf(failure)
  const { error, message, ...data } = body
  return {
    ok: false,
    code: codeOf[failure._tag],
    message: failure._tag === "Invalid" ? JSON.stringify(failure.faults) : String(message ?? error),
    data: { ...data, ...("code" in data ? { code: codeOf[failure._tag], reason: data["code"] } : {}) },
    ...(headers === undefined ? {} : { headers })
  }
}

export interface TrpcSettings {
  readonly surface: Extract<Surface, "bridge" | "session">
  readonly basePath: string
  readonly batchLimit: number
  readonly bodyLimitBytes: number
  readonly memory: BodyMemory
}

/** Serves the procedures below a base path, for the credentials that this surface accepts. */
export const serveProcedures = (
  catalog: CatalogShape,
  dispatch: typeof Dispatch.Service,
  settings: TrpcSettings,
  runtime: Runtime.Runtime<never>
): ((exchange: Exchange) => void) => {
  const { procedures } = catalog
  const runPromise = Runtime.runPromise(runtime)
  const runSync = Runtime.runSync(runtime)
  const principals = new WeakMap<Exchange, Principal>()

  const call = (path: string, input: unknown, exchange: Exchange, signal: AbortSignal): Promise<TrpcOutcome> =>
    new Promise((resolve) => {
      const operation = procedures.get(path)!
      const { note, request } = exchange
      note.route += `${note.route === settings.basePath ? "/" : ","}${path}`
      const header = request.headers["idempotency-key"]
      const cancel = dispatch.start(
        operation,
        {
          surface: settings.surface,
          presented: presentedCredential(request),
          requestId: exchange.requestId,
          client: exchange.client,
          isLenient: isLenient(request),
          input: Effect.succeed(input),
          ...(typeof header === "string"
            ? {
                idempotent: {
                  header,
                  describe: (read: unknown) => ({ method: "POST", route: path, body: JSON.stringify(read ?? null) })
                }
              }
            : {})
        },
        (outcome: Outcome) => {
          noteOutcome(exchange, outcome)
          const { result } = outcome
          resolve(Either.isRight(result) ? { ok: true, data: result.right } : refusalOf(result.left))
        }
      )
      signal.addEventListener("abort", cancel, { once: true })
    })

  const serve = serveTrpc<Exchange>(
    {
      kindOf: (path) => procedures.get(path)?.kind,
      takesJson: (path) => procedures.get(path)?.takesJson ?? false,
      readsInput: (path) => procedures.get(path)?.takesInput ?? true,
      call,
      report: (cause, { note, requestId }) =>
        String(wireAnswerOf(runSync(logInternalError(Cause.die(cause), note.route, requestId))).body["errorId"]),
      refuse: async (exchange) => {
        if (hasSecretIn(exchange.search)) return refuseWith("BAD_REQUEST", secretInUrl)
        const asked = dispatch.identify(settings.surface, presentedCredential(exchange.request), exchange.requestId)
        const identified = await runPromise(Effect.either(asked))
        if (Either.isLeft(identified)) return refusalOf(identified.left)
        notePrincipal(exchange, identified.right)
        principals.set(exchange, identified.right)
        return undefined
      },
      spend: async (exchange) => {
        const spent = await runPromise(Effect.either(dispatch.spend(principals.get(exchange), exchange.client)))
        return Either.isLeft(spent) ? refusalOf(spent.left) : undefined
      }
    },
    {
      basePath: settings.basePath,
      maxBatchSize: settings.batchLimit,
      maxBodyBytes: settings.bodyLimitBytes,
      memory: settings.memory
    }
  )
  return (exchange) => void serve(exchange.request, exchange.response, exchange)
}
