/**
 * Reads the body of a request. Limits the size of the body, and accepts only JSON in UTF-8 whose texts the database can
 * store.
 */
import { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import { type Failure, Invalid, invalid, TooLarge, UnsupportedMedia } from "../doors/Failure.ts"
import { type BodyMemory, bodyMemoryBusy } from "./BodyMemory.ts"
import { depthMax, faultIn, parseJson, tooManyValues } from "./Json.ts"

export interface BodyLimits {
  readonly limitBytes: number
  /** Counts the memory that all requests use together. If absent, memory is not counted. */
  readonly memory?: BodyMemory | undefined
}

/**
 * Reads the bytes of a body, at most `limitBytes`. Resolves to `tooLarge` if the body is larger, and to `busy` if there
 * is no memory for the body. In both cases the pod receives and drops the rest of the body, so that the client still
 * gets the answer. Resolves to `gone` if the client disconnected before it had sent the whole body.
 */
export const collect = (
  request: IncomingMessage,
  { limitBytes, memory }: BodyLimits
): Promise<Buffer | "tooLarge" | "busy" | "gone"> => {
  if (request.destroyed) return Promise.resolve("gone")
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) {
    request.resume()
    return Promise.resolve("tooLarge")
  }
  return new Promise((resolve) => {
    const parts: Array<Buffer> = []
    let sizeBytes = 0
    const finish = (read: Buffer | "tooLarge" | "busy" | "gone") => {
      request.off("data", onData)
      request.off("end", onEnd)
      request.off("close", onClose)
      resolve(read)
    }
    const onData = (part: Buffer) => {
      sizeBytes += part.length
      const refusal =
        sizeBytes > limitBytes ? "tooLarge" : memory?.admitBytes(request, part.length) === false ? "busy" : undefined
      if (refusal === undefined) {
        parts.push(part)
        return
      }
      parts.length = 0
      finish(refusal)
      request.resume()
    }
    const onEnd = () => finish(parts.length === 1 ? parts[0] : Buffer.concat(parts))
    const onClose = () => finish("gone")
    request.on("data", onData)
    request.on("end", onEnd)
    request.on("close", onClose)
  })
}

/** Returns the text of a body, without a byte order mark. Returns undefined if the body is not valid UTF-8. */
export const textOf = (bytes: Buffer): string | undefined => {
  const text = decodeUtf8(bytes)
  return text?.startsWith("\ufeff") === true ? text.slice(1) : text
}

const decodeUtf8 = (bytes: Buffer): string | undefined => {
  const text = bytes.toString("utf8")
  // The fast decoder writes U+FFFD for invalid UTF-8. The slower, strict decoder is needed only if the text contains
  // this character.
  if (!text.includes("\ufffd")) return text
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The text and the parsed value of a body. From the text, the pod sees whether two requests with the same idempotency
 * key are the same request.
 */
export interface ReadBody {
  readonly text: string
  /** The value; undefined if the request had no body. */
  readonly value: unknown
}

const parse = (
  bytes: Buffer,
  request: IncomingMessage,
  memory: BodyMemory | undefined
): Effect.Effect<ReadBody, Failure> => {
  if (bytes.length === 0) return Effect.succeed({ text: "", value: undefined })
  const text = textOf(bytes)
  if (text === undefined) return Effect.fail(invalid("", "The body of the request is not UTF-8."))
  const parsed = parseJson(text, depthMax, (values) => memory?.admitValues(request, values) ?? true)
  switch (parsed) {
    case "deep":
      return Effect.fail(invalid("", `The body has more than ${depthMax} levels of nesting.`))
    case "many":
      return Effect.fail(new TooLarge({ why: tooManyValues }))
    case "busy":
      return Effect.fail(bodyMemoryBusy)
    case "broken":
      return Effect.fail(
        new Invalid({
          faults: [{ path: "", message: "The body of the request is not valid JSON. Correct the body." }],
          code: "parse_error"
        })
      )
  }
  const fault = faultIn(parsed.value)
  return fault === undefined
    ? Effect.succeed({ text, value: parsed.value })
    : Effect.fail(new Invalid({ faults: [fault] }))
}

/** True for a JSON content type. Parameters of the content type, such as `charset`, are ignored. */
export const isJson = (type: string | undefined): boolean =>
  type?.split(";", 1)[0]?.trim().toLowerCase() === "application/json"

/** True if the client sent the body without compression. */
export const isPlain = ({ headers }: IncomingMessage): boolean =>
  (headers["content-encoding"] ?? "identity").toLowerCase() === "identity"

/** Returns the JSON body of a request. A failure tells the client what to correct. */
export const readJson = (request: IncomingMessage, limits: BodyLimits): Effect.Effect<ReadBody, Failure> =>
  Effect.suspend(() => {
    const { "content-type": type, "content-length": length, "transfer-encoding": transfer } = request.headers
    const hasBody = (length !== undefined && length !== "0") || transfer !== undefined
    if (hasBody && !isJson(type)) {
      request.resume()
      return Effect.fail(new UnsupportedMedia({ why: "Send the body as application/json." }))
    }
    if (!isPlain(request)) {
      request.resume()
      return Effect.fail(new UnsupportedMedia({ why: "Send the body without compression." }))
    }
    if (!hasBody) return Effect.succeed({ text: "", value: undefined })
    return Effect.flatMap(
      Effect.promise(() => collect(request, limits)),
      (read): Effect.Effect<ReadBody, Failure> => {
        switch (read) {
          case "gone":
            return Effect.fail(
              invalid("", "The body of the request ended before it was complete. Send the request again.")
            )
          case "tooLarge":
            return Effect.fail(TooLarge.bytes(limits.limitBytes))
          case "busy":
            return Effect.fail(bodyMemoryBusy)
          default:
            return parse(read, request, limits.memory)
        }
      }
    )
  })
