/** Serves the tRPC 11 protocol over node:http. Translates requests into calls, and outcomes into answers. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { BodyMemory } from "./BodyMemory.ts"
import { sendJson, type TrpcAnswer, writeAnswer } from "./TrpcAnswer.ts"
import {
  envelope,
  internalErrorRefusal,
  refuseWith,
  serializeOutcome,
  serializeRefusal,
  type TrpcOutcome,
  type TrpcRefusal,
  type SerializedOutcome,
  type SerializedRefusal
} from "./TrpcError.ts"
import {
  readBody,
  readInputs,
  readTarget,
  refuseMediaType,
  refuseWrapped,
  type TrpcInputs,
  type TrpcTarget
} from "./TrpcInput.ts"
import { canReceive } from "./TrpcStream.ts"
import type { TrpcCalls, TrpcClient, TrpcKind } from "./TrpcCalls.ts"

export interface TrpcWireSettings {
  /** The path before the names of all procedures, such as `/trpc`. */
  readonly basePath: string
  readonly maxBatchSize: number
  readonly maxBodyBytes: number
  /**
   * Counts the memory that the bodies of all requests (REST, tRPC and MCP) use together. If absent, memory is not
   * counted.
   */
  readonly memory?: BodyMemory
  /** If the client of a subscription receives nothing for this many milliseconds, it should connect again. */
  readonly reconnectAfterInactivityMs: number
}

/**
 * The HTTP methods for each kind of procedure. A query can use POST, because its input can be too long for a URL. A
 * mutation cannot use GET. A subscription uses GET, because an `EventSource` cannot use another method.
 */
const acceptedMethods: Record<TrpcKind, ReadonlyArray<string>> = {
  query: ["GET", "POST"],
  mutation: ["POST"],
  subscription: ["GET"]
}

const subscriptionInBatch = refuseWith("BAD_REQUEST", "Cannot batch subscription calls")

/** A call of a request, with its input. If the call is refused, it does not run. */
interface ReadCall {
  readonly path: string
  readonly input: ReturnType<TrpcInputs>
  readonly refusal: TrpcRefusal | undefined
}

const single = (outcome: TrpcOutcome, path?: string): TrpcAnswer => ({
  shape: "single",
  settled: serializeOutcome(outcome, path)
})

/** A client that waits for a response. The client might already have disconnected when this object is made. */
class WaitingClient implements TrpcClient {
  readonly #response: ServerResponse
  #leaving: Array<() => void> | undefined

  constructor(response: ServerResponse) {
    this.#response = response
  }

  get hasLeft(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished
  }

  readonly onLeave = (listener: () => void): void => {
    if (this.#leaving !== undefined) return void this.#leaving.push(listener)
    // All calls of a batch share one listener on the response.
    const all = (this.#leaving = [listener])
    const response = this.#response
    response.once("close", () => {
      if (!response.writableFinished) for (const each of all) each()
    })
  }
}

/**
 * Makes a request listener for the calls below `settings.basePath`. The listener sets the headers `cache-control`,
 * `vary`, `content-type` and `content-length`, and keeps all other headers that are already set. Its promise resolves
 * when the answer is written, and never rejects.
 */
export const serveTrpc = <Context>(calls: TrpcCalls<Context>, settings: TrpcWireSettings) => {
  // A look-up in a plain object also finds inherited names such as `constructor`. So the function uses the result only
  // if it is one of the kinds in this table.
  const kindOf = (path: string) => {
    const kind = calls.kindOf(path)
    return kind !== undefined && Object.hasOwn(acceptedMethods, kind) ? kind : undefined
  }

  const refuseRoute = (path: string, method: string): TrpcRefusal | undefined => {
    const kind = kindOf(path)
    if (kind === undefined) return refuseWith("NOT_FOUND", `No procedure found on path "${path}"`)
    if (acceptedMethods[kind].includes(method)) return undefined
    return refuseWith("METHOD_NOT_SUPPORTED", `Unsupported ${method}-request to ${kind} procedure at path "${path}"`, {
      headers: { allow: acceptedMethods[kind].join(", ") }
    })
  }

  /**
   * Counts a refused request like one call. Returns `refusal`, or the refusal of the rate limit if the limit is
   * exceeded.
   */
  const countRefused = (refusal: TrpcRefusal, context: Context): TrpcRefusal => calls.countRequest?.(context) ?? refusal

  const spentOn = (refusal: TrpcRefusal, path: string, context: Context): SerializedRefusal =>
    serializeRefusal(countRefused(refusal, context), path)

  const brokenBy = (cause: unknown, context: Context): TrpcRefusal =>
    calls.report === undefined
      ? internalErrorRefusal
      : { ...internalErrorRefusal, data: { errorId: calls.report(cause, context) } }

  const run = (
    path: string,
    input: unknown,
    context: Context,
    client: TrpcClient,
    index: number
  ): Promise<SerializedOutcome> =>
    calls.call(path, input, context, client, index).then(
      (outcome) => serializeOutcome(outcome, path),
      (cause: unknown) => serializeOutcome(brokenBy(cause, context), path)
    )

  const shape = async (target: TrpcTarget, running: ReadonlyArray<Promise<SerializedOutcome>>): Promise<TrpcAnswer> => {
    if (target.isStream) return { shape: "stream", calls: running }
    const [only] = running
    return target.isBatch || only === undefined
      ? { shape: "batch", settled: await Promise.all(running) }
      : { shape: "single", settled: await only }
  }

  /** Returns the refusal of a whole request for its media type or for the kinds of its procedures. */
  const refuseRequest = (request: IncomingMessage, kinds: ReadonlySet<TrpcKind>): TrpcRefusal | undefined => {
    const refusal = request.method === "POST" ? refuseMediaType(request) : undefined
    if (refusal !== undefined || kinds.size <= 1) return refusal
    return refuseWith("BAD_REQUEST", `Cannot mix procedure types in call: ${[...kinds].join(", ")}`)
  }

  const refuseSubscriptions = (target: TrpcTarget, context: Context): TrpcAnswer => {
    const each = target.paths.map((path) => spentOn(subscriptionInBatch, path, context))
    return target.isStream ? { shape: "single", settled: each[0] } : { shape: "batch", settled: each }
  }

  /** Reads the input of each call. Reads the body only if at least one procedure of the request exists. */
  const readCalls = async (request: IncomingMessage, target: TrpcTarget): Promise<ReadonlyArray<ReadCall> | "gone"> => {
    const { method = "" } = request
    const routes = target.paths.map((path) => ({ path, refusal: refuseRoute(path, method) }))
    const hasBody = method === "POST" && routes.some(({ refusal }) => refusal === undefined)
    const text = hasBody
      ? await readBody(request, { limitBytes: settings.maxBodyBytes, memory: settings.memory })
      : { ok: true as const, value: target.inputText }
    if (text === "gone") return text
    const inputs = readInputs(text, target.isBatch, (values) => settings.memory?.admitValues(request, values) ?? true)
    return routes.map(({ path, refusal }, index) => {
      const input = inputs(index)
      const readsWrapped = calls.takesJson?.(path) === true
      return { path, input, refusal: refusal ?? (input.ok && !readsWrapped ? refuseWrapped(input.value) : undefined) }
    })
  }

  const subscription = ({ input, path, refusal }: ReadCall, target: TrpcTarget, context: Context): TrpcAnswer => {
    if (refusal !== undefined) return { shape: "unsubscribed", settled: spentOn(refusal, path, context) }
    if (!input.ok) return { shape: "unsubscribed", settled: spentOn(input, path, context) }
    return { shape: "subscription", begin: () => calls.subscribe?.(path, input.value, target.lastEventId, context) }
  }

  const start = (
    { input, path, refusal }: ReadCall,
    index: number,
    context: Context,
    client: TrpcClient
  ): Promise<SerializedOutcome> => {
    if (refusal !== undefined) return Promise.resolve(spentOn(refusal, path, context))
    if (input.ok) return run(path, input.value, context, client, index)
    // A procedure without an input runs even if the input cannot be read.
    if (calls.readsInput?.(path) === false) return run(path, undefined, context, client, index)
    return Promise.resolve(spentOn(input, path, context))
  }

  const answerTarget = async (
    request: IncomingMessage,
    target: TrpcTarget,
    context: Context,
    client: TrpcClient
  ): Promise<TrpcAnswer> => {
    const kinds = new Set(target.paths.map(kindOf).filter((kind) => kind !== undefined))
    const refusal = refuseRequest(request, kinds)
    if (refusal !== undefined) return single(countRefused(refusal, context))
    const hasSubscription = kinds.has("subscription")
    if (target.isBatch && hasSubscription) return refuseSubscriptions(target, context)
    const read = await readCalls(request, target)
    if (read === "gone" || client.hasLeft) return { shape: "gone" }
    // A client with a transformer (such as superjson) cannot read a stream. So the pod sends one refusal for all calls.
    const wrapped = target.isStream ? read.find((call) => call.refusal?.isWrapped === true)?.refusal : undefined
    if (wrapped !== undefined) return single(countRefused(wrapped, context))
    const [first] = read
    if (hasSubscription && first !== undefined) return subscription(first, target, context)
    return shape(
      target,
      read.map((call, index) => start(call, index, context, client))
    )
  }

  const answer = async (request: IncomingMessage, context: Context, client: TrpcClient): Promise<TrpcAnswer> => {
    const refusing = calls.refuse?.(context)
    const refusal = refusing === undefined ? undefined : await refusing
    const target = readTarget(request, settings)
    if (refusal !== undefined) {
      const isNamed = target.ok && target.value.paths.some((path) => kindOf(path) !== undefined)
      const exceeded = isNamed ? undefined : calls.countRequest?.(context)
      if (exceeded !== undefined) return single(exceeded)
      // A stream would begin with status 200. So the pod refuses a stream with one JSON object and the correct status.
      // A malformed batch is refused in the same form.
      if (!target.ok || target.value.isStream) return single(refusal)
      const each = target.value.paths.map((path) => Promise.resolve(serializeOutcome(refusal, path)))
      return shape(target.value, each)
    }
    return target.ok ? answerTarget(request, target.value, context, client) : single(countRefused(target, context))
  }

  /** Answers a HEAD request without a call. The request counts against the rate limit of its caller. */
  const answerHead = async (response: ServerResponse, context: Context): Promise<void> => {
    await calls.refuse?.(context)
    const exceeded = calls.countRequest?.(context)
    const { headers = {}, status } = exceeded === undefined ? { status: 204 } : serializeRefusal(exceeded)
    if (canReceive(response)) response.writeHead(status, { ...headers, "cache-control": "no-store" }).end()
  }

  return async (request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> => {
    try {
      if (request.method === "HEAD") return await answerHead(response, context)
      const answered = await answer(request, context, new WaitingClient(response))
      await writeAnswer(request, response, answered, settings.reconnectAfterInactivityMs)
    } catch (cause) {
      const refusal = serializeOutcome(brokenBy(cause, context))
      if (response.headersSent) response.destroy()
      else sendJson(response, 500, [], envelope(refusal))
    }
  }
}
