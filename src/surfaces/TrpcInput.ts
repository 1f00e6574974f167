/** Reads what a tRPC request carries: its target, its bounded body and the input of each call. */
import type { IncomingMessage } from "node:http"
import { refuseWith, type TrpcRefusal } from "./TrpcError.ts"

const urlLengthMax = 16_384 // characters; Node refuses heads over 16 KiB by default, a larger setting must not widen this
const depthMax = 64 // nested arrays and objects in one input; far above any payload, far below the stack

type Read<Value> = { readonly ok: true; readonly value: Value } | TrpcRefusal

export interface TrpcTarget {
  readonly isBatch: boolean
  readonly isStream: boolean
  readonly paths: ReadonlyArray<string>
  /** The text of `?input=`, undefined when absent or empty. */
  readonly inputText: string | undefined
}

export interface TrpcTargetLimits {
  readonly basePath: string
  readonly maxBatchSize: number
  readonly allowBatching: boolean
}

const wantsStream = (request: IncomingMessage): boolean => {
  const own = request.headers["trpc-accept"]
  if (own !== undefined) return own === "application/jsonl"
  const accepted = request.headers.accept ?? ""
  return accepted.split(",").some((type) => type.split(";", 1)[0]?.trim() === "application/jsonl")
}

/** Counts no further than it must, so that a flood of commas is refused before it becomes a flood of strings. */
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

/** The calls a request names. Fails for the request as a whole: bad encoding, repeated parameters, too many calls. */
export const readTarget = (request: IncomingMessage, limits: TrpcTargetLimits): Read<TrpcTarget> => {
  const url = request.url ?? ""
  if (url.length > urlLengthMax) {
    return refuseWith("BAD_REQUEST", `The URL is longer than ${urlLengthMax} characters`, { httpStatus: 414 })
  }
  const mark = url.indexOf("?")
  const path = decodedPath(mark === -1 ? url : url.slice(0, mark), limits.basePath)
  if (path === undefined) return refuseWith("BAD_REQUEST", "The path is not valid URL-encoding")
  const query = new URLSearchParams(mark === -1 ? "" : url.slice(mark + 1))
  for (const name of ["batch", "input"]) {
    // Two readers of one URL may pick different copies, so a repeated parameter is nobody's to resolve.
    if (query.getAll(name).length > 1) return refuseWith("BAD_REQUEST", `"${name}" is given more than once`)
  }
  const isBatch = query.get("batch") === "1"
  if (isBatch && !limits.allowBatching) return refuseWith("BAD_REQUEST", "Batching is not enabled on the server")
  if (isBatch && holdsMoreThan(path, limits.maxBatchSize)) {
    return refuseWith("BAD_REQUEST", "Batch call exceeds maximum size")
  }
  const isStream = wantsStream(request)
  if (isStream && !isBatch) {
    return refuseWith("BAD_REQUEST", "Streaming requests must be batched (you can do a batch of 1)")
  }
  const inputText = query.get("input")
  return {
    ok: true,
    value: {
      isBatch,
      isStream,
      paths: isBatch ? path.split(",") : [path],
      inputText: inputText === null || inputText === "" ? undefined : inputText
    }
  }
}

/** Refuses a POST whose body is not plain JSON; undefined when it may be read. */
export const refuseMediaType = (request: IncomingMessage): TrpcRefusal | undefined => {
  const type = request.headers["content-type"]
  if (type === undefined) return refuseWith("UNSUPPORTED_MEDIA_TYPE", "Missing content-type header")
  if (type.split(";", 1)[0]?.trim().toLowerCase() !== "application/json") {
    return refuseWith("UNSUPPORTED_MEDIA_TYPE", `Unsupported content-type "${type}"`)
  }
  const encoding = request.headers["content-encoding"]
  if (encoding === undefined || encoding.toLowerCase() === "identity") return undefined
  return refuseWith("UNSUPPORTED_MEDIA_TYPE", `Unsupported content-encoding "${encoding}"`)
}

const bodyTooLarge = refuseWith("PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE")

/**
 * The body as text, undefined when empty; "gone" when the client left before sending all of it.
 * Holds at most `maxBodyBytes`: what follows is thrown away unread, so that the client still sees the 413.
 */
export const readBody = (
  request: IncomingMessage,
  maxBodyBytes: number
): Promise<Read<string | undefined> | "gone"> => {
  if (request.destroyed) return Promise.resolve("gone")
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) return Promise.resolve(bodyTooLarge)
  return new Promise((resolve) => {
    const parts: Array<Buffer> = []
    let sizeBytes = 0
    const finish = (read: Read<string | undefined> | "gone") => {
      request.off("data", onData)
      request.off("end", onEnd)
      request.off("close", onClose)
      resolve(read)
    }
    const onData = (part: Buffer) => {
      sizeBytes += part.length
      if (sizeBytes <= maxBodyBytes) {
        parts.push(part)
        return
      }
      finish(bodyTooLarge)
      request.resume()
    }
    const onEnd = () => {
      try {
        const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts))
        finish({ ok: true, value: text === "" ? undefined : text })
      } catch {
        finish(refuseWith("BAD_REQUEST", "The body is not valid UTF-8"))
      }
    }
    const onClose = () => finish("gone")
    request.on("data", onData)
    request.on("end", onEnd)
    request.on("close", onClose)
  })
}

/**
 * Looks at the text before it is parsed: V8 needs 0.1 s for a megabyte of brackets, and what it returns would
 * overflow the stack of anything that walks it.
 */
const nestsDeeperThan = (text: string, max: number): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (inString) {
      if (character === "\\") index++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === "]" || character === "}") depth--
    else if ((character === "[" || character === "{") && ++depth > max) return true
  }
  return false
}

/** Why a parsed value may not pass: PostgreSQL refuses NUL, and a lone surrogate is not text. */
const faultIn = (value: unknown): string | undefined => {
  if (typeof value === "string") {
    if (value.includes("\0")) return "The input contains a NUL character"
    return /\p{Surrogate}/u.test(value) ? "The input contains a lone surrogate" : undefined
  }
  if (typeof value !== "object" || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const fault = faultIn(key) ?? faultIn(item)
    if (fault !== undefined) return fault
  }
  return undefined
}

const checked = (value: unknown): Read<unknown> => {
  const fault = faultIn(value)
  return fault === undefined ? { ok: true, value } : refuseWith("BAD_REQUEST", fault)
}

/** The input of call `index`. A text that cannot be read fails only the calls that ask for it. */
export type TrpcInputs = (index: number) => Read<unknown>

export const readInputs = (text: Read<string | undefined>, isBatch: boolean): TrpcInputs => {
  if (!text.ok) return () => text
  if (text.value === undefined) return () => ({ ok: true, value: undefined })
  if (nestsDeeperThan(text.value, isBatch ? depthMax + 1 : depthMax)) {
    const refusal = refuseWith("BAD_REQUEST", `The input is nested deeper than ${depthMax} levels`)
    return () => refusal
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text.value)
  } catch {
    const refusal = refuseWith("BAD_REQUEST", "The input is not valid JSON")
    return () => refusal
  }
  if (!isBatch) return () => checked(parsed)
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    const refusal = refuseWith("BAD_REQUEST", `"input" needs to be an object when doing a batch call`)
    return () => refusal
  }
  const inputs = new Map(Object.entries(parsed))
  return (index) => checked(inputs.get(String(index)))
}
