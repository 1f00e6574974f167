/** Reads a tRPC request: its target, its body up to a limit, and the input of each call. */
import type { IncomingMessage } from "node:http"
import { type BodyLimits, collect, isJson, isPlain, textOf } from "./Body.ts"
import { bodyMemoryBusy } from "./BodyMemory.ts"
import { lastPosition } from "./EventStream.ts"
import { depthMax, faultIn, parseJson, tooManyValues } from "./Json.ts"
import { refuseWith, type TrpcRefusal } from "./TrpcError.ts"

// A URL can have at most this many characters. Node's own limit is for all headers together and can be larger.
const urlLengthMax = 16_384

type Read<Value> = { readonly ok: true; readonly value: Value } | TrpcRefusal

export interface TrpcTarget {
  readonly isBatch: boolean
  readonly isStream: boolean
  readonly paths: ReadonlyArray<string>
  /** The text of the parameter `input`. Undefined if it is absent or empty. */
  readonly inputText: string | undefined
  /**
   * The position after which a subscription continues. It is the header `Last-Event-ID` or, without this header, the
   * parameter `lastEventId`.
   */
  readonly lastEventId: string | undefined
}

export interface TrpcTargetLimits {
  readonly basePath: string
  readonly maxBatchSize: number
}

const wantsStream = (request: IncomingMessage): boolean => {
  const own = request.headers["trpc-accept"]
  if (own !== undefined) return own === "application/jsonl"
  const accepted = request.headers.accept ?? ""
  if (!accepted.includes("jsonl")) return false
  return accepted.split(",").some((type) => type.split(";", 1)[0]?.trim() === "application/jsonl")
}

/**
 * True if a path names more than `count` calls. The counting stops early, so the pod can refuse a path with very many
 * commas before it splits the path.
 */
const holdsMoreThan = (path: string, count: number): boolean => {
  let from = -1
  for (let calls = 1; calls <= count; calls++) {
    from = path.indexOf(",", from + 1)
    if (from === -1) return false
  }
  return true
}

const decodedPath = (pathname: string, basePath: string): string | undefined => {
  const base = basePath.endsWith("/") ? basePath.slice(0, -1) : basePath
  if (!pathname.startsWith(`${base}/`)) return ""
  try {
    return decodeURIComponent(pathname.slice(base.length + 1))
  } catch {
    return undefined
  }
}

const noParameters = new URLSearchParams()

/**
 * Returns the calls that a request names. The whole request fails if one of its parts is not allowed, for example if a
 * parameter is repeated or if there are too many calls.
 */
export const readTarget = (request: IncomingMessage, limits: TrpcTargetLimits): Read<TrpcTarget> => {
  const url = request.url ?? ""
  if (url.length > urlLengthMax) {
    return refuseWith("BAD_REQUEST", `The URL is longer than ${urlLengthMax} characters`, { httpStatus: 414 })
  }
  const mark = url.indexOf("?")
  const path = decodedPath(mark === -1 ? url : url.slice(0, mark), limits.basePath)
  if (path === undefined) return refuseWith("BAD_REQUEST", "The path is not valid URL-encoding")
  const query = mark === -1 ? noParameters : new URLSearchParams(url.slice(mark + 1))
  for (const name of query.size === 0 ? [] : ["batch", "input", "lastEventId"]) {
    // The pod refuses a repeated parameter, because two programs that read the same URL could use different values.
    if (query.getAll(name).length > 1) return refuseWith("BAD_REQUEST", `"${name}" is given more than once`)
  }
  const isBatch = query.get("batch") === "1"
  if (isBatch && holdsMoreThan(path, limits.maxBatchSize)) {
    return refuseWith("BAD_REQUEST", "Batch call exceeds maximum size")
  }
  const isStream = wantsStream(request)
  if (isStream && !isBatch) {
    return refuseWith("BAD_REQUEST", "Streaming requests must be batched (you can do a batch of 1)")
  }
  const inputText = query.get("input")
  const lastEventId = lastPosition(request) ?? query.get("lastEventId")
  return {
    ok: true,
    value: {
      isBatch,
      isStream,
      paths: isBatch ? path.split(",") : [path],
      inputText: inputText === null || inputText === "" ? undefined : inputText,
      lastEventId: lastEventId === null || lastEventId === "" ? undefined : lastEventId
    }
  }
}

/**
 * Returns the refusal of a POST request whose body is compressed or not JSON. Returns undefined if the pod can read the
 * body.
 */
export const refuseMediaType = (request: IncomingMessage): TrpcRefusal | undefined => {
  const type = request.headers["content-type"]
  if (type === undefined) return refuseWith("UNSUPPORTED_MEDIA_TYPE", "Missing content-type header")
  if (!isJson(type)) return refuseWith("UNSUPPORTED_MEDIA_TYPE", `Unsupported content-type "${type}"`)
  if (isPlain(request)) return undefined
  return refuseWith("UNSUPPORTED_MEDIA_TYPE", `Unsupported content-encoding "${request.headers["content-encoding"]}"`)
}

const bodyTooLarge = refuseWith("PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE")
const bodyBusy = refuseWith("SERVICE_UNAVAILABLE", bodyMemoryBusy.why, {
  headers: { "retry-after": String(bodyMemoryBusy.retryAfterSeconds) }
})

/**
 * Returns the text of the body. Returns undefined if the body is empty, and `gone` if the client disconnected before it
 * had sent the whole body.
 */
export const readBody = async (
  request: IncomingMessage,
  limits: BodyLimits
): Promise<Read<string | undefined> | "gone"> => {
  const bytes = await collect(request, limits)
  if (bytes === "gone") return bytes
  if (bytes === "tooLarge") return bodyTooLarge
  if (bytes === "busy") return bodyBusy
  const text = textOf(bytes)
  if (text === undefined) return refuseWith("BAD_REQUEST", "The body is not valid UTF-8")
  return { ok: true, value: text === "" ? undefined : text }
}

const checkInput = (value: unknown): Read<unknown> => {
  const fault = faultIn(value)
  if (fault === undefined) return { ok: true, value }
  return refuseWith("BAD_REQUEST", `${fault.path === "" ? "The input" : fault.path} ${fault.message}`)
}

const unreadableInput = {
  deep: refuseWith("BAD_REQUEST", `The input is nested deeper than ${depthMax} levels`),
  many: refuseWith("PAYLOAD_TOO_LARGE", tooManyValues),
  busy: bodyBusy,
  broken: refuseWith("BAD_REQUEST", "The input is not valid JSON")
}

/** The refusal of an input that the client sent through superjson or a similar transformer. */
const wrappedInputRefusal: TrpcRefusal = {
  ...refuseWith(
    "BAD_REQUEST",
    "This input is wrapped as {json, meta}, as the superjson transformer writes it. The pod reads plain JSON: " +
      "remove the option `transformer: superjson` from the links of the client, and send the input itself."
  ),
  isWrapped: true
}

/**
 * Returns the refusal of an input that a transformer (such as superjson) has wrapped. A client with a transformer could
 * not read a normal answer, so the pod refuses its input. Returns undefined for any other input.
 */
export const refuseWrapped = (input: unknown): TrpcRefusal | undefined => {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, "json")) return undefined
  return Object.keys(input).every((name) => name === "json" || name === "meta") ? wrappedInputRefusal : undefined
}

/**
 * Returns the input of the call with this index. If the text cannot be parsed, only the calls that need an input fail.
 */
export type TrpcInputs = (index: number) => Read<unknown>

export const readInputs = (
  text: Read<string | undefined>,
  isBatch: boolean,
  admit?: (values: number) => boolean
): TrpcInputs => {
  if (!text.ok) return () => text
  if (text.value === undefined) return () => ({ ok: true, value: undefined })
  const read = parseJson(text.value, isBatch ? depthMax + 1 : depthMax, admit)
  if (typeof read === "string") {
    const refusal = unreadableInput[read]
    return () => refusal
  }
  const parsed = read.value
  if (!isBatch) return () => checkInput(parsed)
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    const refusal = refuseWith("BAD_REQUEST", `"input" needs to be an object when doing a batch call`)
    return () => refusal
  }
  const inputs = new Map(Object.entries(parsed))
  return (index) => checkInput(inputs.get(String(index)))
}
