/** Serves the tRPC 11 protocol over node:http. Translates requests into calls, and outcomes into answers. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { BodyMemory } from "./BodyMemory.ts"
import { endWithText } from "./EndWithText.ts"
import {
  envelope,
  internalErrorRefusal,
  refuseWith,
  serializeOutcome,
  serializeRefusal,
  statusOfBatch,
  type TrpcOutcome,
  type TrpcRefusal,
  type SerializedOutcome,
  type SerializedRefusal
} from "./TrpcError.ts"
import { readBody, readInputs, readTarget, refuseMediaType, refuseWrapped, type TrpcTarget } from "./TrpcInput.ts"
import { canReceive, streamBatch } from "./TrpcStream.ts"
import { isEventSource, refuseSubscription } from "./TrpcSubscription.ts"
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

/**
 * The form of the answer: one object, an array, a stream of lines, or a subscription. `gone` means no answer, because
 * the client has disconnected.
 */
type Answer =
  | { readonly shape: "single"; readonly settled: SerializedOutcome }
  | { readonly shape: "batch"; readonly settled: ReadonlyArray<SerializedOutcome> }
  | { readonly shape: "stream"; readonly calls: ReadonlyArray<Promise<SerializedOutcome>> }
  | { readonly shape: "subscription"; readonly begin: () => void }
  | { readonly shape: "unsubscribed"; readonly settled: SerializedRefusal }
  | { readonly shape: "gone" }

const subscriptionInBatch = refuseWith("BAD_REQUEST", "Cannot batch subscription calls")

const single = (outcome: TrpcOutcome, path?: string): Answer => ({
  shape: "single",
  settled: serializeOutcome(outcome, path)
})

const addVary = (response: ServerResponse): void => {
  const present = String(response.getHeader("vary") ?? "")
  if (present === "") return void response.setHeader("vary", "trpc-accept, accept")
  const names = new Set(present.split(",").map((name) => name.trim().toLowerCase()))
  const missing = ["trpc-accept", "accept"].filter((name) => !names.has(name)).join(", ")
  if (missing !== "") response.setHeader("vary", `${present}, ${missing}`)
}

/**
 * Copies the headers of refused calls to the response. If several calls set the same header, the response has the
 * highest number, for example the longest `Retry-After`. If the values are not numbers, the response has the value of
 * the first call.
 */
const addHeaders = (response: ServerResponse, settled: ReadonlyArray<SerializedOutcome>): void => {
  for (const one of settled) {
    if (one.ok) continue
    for (const [name, value] of Object.entries(one.headers)) {
      const present = response.getHeader(name)
      if (present === undefined || Number(value) > Number(present)) response.setHeader(name, value)
    }
  }
}

const send = (
  response: ServerResponse,
  status: number,
  settled: ReadonlyArray<SerializedOutcome>,
  body: string
): void => {
  if (!canReceive(response)) return
  addHeaders(response, settled)
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  endWithText(response, body)
}

const write = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  { reconnectAfterInactivityMs }: TrpcWireSettings
): Promise<void> => {
  if (answer.shape === "gone" || !canReceive(response)) return
  addVary(response)
  if (answer.shape === "subscription") return answer.begin()
  if (answer.shape === "unsubscribed") return refuseSubscription(response, answer.settled, reconnectAfterInactivityMs)
  // An `EventSource` gets every failure in the form of a refused subscription, whatever the kind of the procedure.
  // Otherwise an anonymous caller could find out which names are subscriptions.
  if (answer.shape === "single" && !answer.settled.ok && isEventSource(request)) {
    return refuseSubscription(response, answer.settled, reconnectAfterInactivityMs)
  }
  response.setHeader("cache-control", "no-store")
  if (answer.shape === "single") {
    send(response, answer.settled.status, [answer.settled], envelope(answer.settled))
  } else if (answer.shape === "batch") {
    send(response, statusOfBatch(answer.settled), answer.settled, `[${answer.settled.map(envelope).join(",")}]`)
  } else {
    await streamBatch(response, answer.calls)
  }
}

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

  const shape = async (target: TrpcTarget, running: ReadonlyArray<Promise<SerializedOutcome>>): Promise<Answer> => {
    if (target.isStream) return { shape: "stream", calls: running }
    const [only] = running
    return target.isBatch || only === undefined
      ? { shape: "batch", settled: await Promise.all(running) }
      : { shape: "single", settled: await only }
  }

  const answerTarget = async (
    request: IncomingMessage,
    target: TrpcTarget,
    context: Context,
    client: TrpcClient
  ): Promise<Answer> => {
    const method = request.method ?? ""
    const mediaRefusal = method === "POST" ? refuseMediaType(request) : undefined
    if (mediaRefusal !== undefined) return single(countRefused(mediaRefusal, context))
    const kinds = new Set(target.paths.map(kindOf).filter((kind) => kind !== undefined))
    if (kinds.size > 1) {
      const mixed = refuseWith("BAD_REQUEST", `Cannot mix procedure types in call: ${[...kinds].join(", ")}`)
      return single(countRefused(mixed, context))
    }

    if (target.isBatch && kinds.has("subscription")) {
      const each = target.paths.map((path) => spentOn(subscriptionInBatch, path, context))
      return target.isStream ? { shape: "single", settled: each[0] } : { shape: "batch", settled: each }
    }
    const planned = target.paths.map((path) => {
      const refusal = refuseRoute(path, method)
      return { path, refusal, readsInput: refusal === undefined && (calls.readsInput?.(path) ?? true) }
    })
    const hasBody = method === "POST" && planned.some(({ refusal }) => refusal === undefined)
    const text = hasBody
      ? await readBody(request, { limitBytes: settings.maxBodyBytes, memory: settings.memory })
      : { ok: true as const, value: target.inputText }
    if (text === "gone" || client.hasLeft) return { shape: "gone" }
    const inputs = readInputs(text, target.isBatch, (values) => settings.memory?.admitValues(request, values) ?? true)
    const read = planned.map((call, index) => {
      const input = inputs(index)
      const refusal =
        call.refusal ?? (input.ok && calls.takesJson?.(call.path) !== true ? refuseWrapped(input.value) : undefined)
      return { path: call.path, readsInput: call.readsInput, input, refusal }
    })
    // A client with a transformer (such as superjson) cannot read a stream. So the pod sends one refusal for all calls.
    const wrapped = target.isStream ? read.find(({ refusal }) => refusal?.isWrapped === true)?.refusal : undefined
    if (wrapped !== undefined) return single(countRefused(wrapped, context))
    const [first] = read
    if (first !== undefined && !target.isBatch && kinds.has("subscription")) {
      const { input, path } = first
      const refused = first.refusal ?? (input.ok ? undefined : input)
      if (refused !== undefined) return { shape: "unsubscribed", settled: spentOn(refused, path, context) }
      const value = input.ok ? input.value : undefined
      return { shape: "subscription", begin: () => calls.subscribe?.(path, value, target.lastEventId, context) }
    }
    const running = read.map(({ input, path, refusal, readsInput }, index): Promise<SerializedOutcome> => {
      if (refusal !== undefined) return Promise.resolve(spentOn(refusal, path, context))
      if (input.ok) return run(path, input.value, context, client, index)
      return readsInput ? Promise.resolve(spentOn(input, path, context)) : run(path, undefined, context, client, index)
    })
    return shape(target, running)
  }

  const answer = async (request: IncomingMessage, context: Context, client: TrpcClient): Promise<Answer> => {
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
      await write(request, response, await answer(request, context, new WaitingClient(response)), settings)
    } catch (cause) {
      const refusal = serializeOutcome(brokenBy(cause, context))
      if (response.headersSent) response.destroy()
      else send(response, 500, [], envelope(refusal))
    }
  }
}
