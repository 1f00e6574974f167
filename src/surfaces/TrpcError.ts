/** Writes the outcomes of tRPC calls. Defines the codes and the form of errors. */

/**
 * The JSON-RPC number and the HTTP status of each code. The source is recorded conversations with tRPC 11, which the
 * tests replay.
 */
export const trpcCodes = {
  PARSE_ERROR: { jsonRpc: -32700, http: 400 },
  BAD_REQUEST: { jsonRpc: -32600, http: 400 },
  UNAUTHORIZED: { jsonRpc: -32001, http: 401 },
  PAYMENT_REQUIRED: { jsonRpc: -32002, http: 402 },
  FORBIDDEN: { jsonRpc: -32003, http: 403 },
  NOT_FOUND: { jsonRpc: -32004, http: 404 },
  METHOD_NOT_SUPPORTED: { jsonRpc: -32005, http: 405 },
  TIMEOUT: { jsonRpc: -32008, http: 408 },
  CONFLICT: { jsonRpc: -32009, http: 409 },
  PRECONDITION_FAILED: { jsonRpc: -32012, http: 412 },
  PAYLOAD_TOO_LARGE: { jsonRpc: -32013, http: 413 },
  UNSUPPORTED_MEDIA_TYPE: { jsonRpc: -32015, http: 415 },
  UNPROCESSABLE_CONTENT: { jsonRpc: -32022, http: 422 },
  PRECONDITION_REQUIRED: { jsonRpc: -32028, http: 428 },
  TOO_MANY_REQUESTS: { jsonRpc: -32029, http: 429 },
  CLIENT_CLOSED_REQUEST: { jsonRpc: -32099, http: 499 },
  INTERNAL_SERVER_ERROR: { jsonRpc: -32603, http: 500 },
  NOT_IMPLEMENTED: { jsonRpc: -32603, http: 501 },
  BAD_GATEWAY: { jsonRpc: -32603, http: 502 },
  SERVICE_UNAVAILABLE: { jsonRpc: -32603, http: 503 },
  GATEWAY_TIMEOUT: { jsonRpc: -32603, http: 504 }
} as const satisfies Record<string, { readonly jsonRpc: number; readonly http: number }>

export type TrpcCode = keyof typeof trpcCodes

/** A call that succeeded. If `data` is undefined, the answer is `{"result":{}}`. */
export interface TrpcSuccess {
  readonly ok: true
  readonly data: unknown
  /** The cursor of the next page. Undefined if the answer is not a listing, or is its last page. */
  readonly nextCursor?: string | undefined
  /** Returns the refusal if the pod has no memory for an answer of this many characters. */
  readonly refuseLength?: ((characters: number) => TrpcRefusal | undefined) | undefined
}

/**
 * A call that failed. The fields of `data` are added to `error.data`. They cannot replace `code`, `httpStatus` or
 * `path`.
 */
export interface TrpcRefusal {
  readonly ok: false
  readonly code: TrpcCode
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly httpStatus?: number
  /**
   * True if the client reads answers through a transformer (such as superjson). A transformer reads only the field
   * `json`, so the answer has the error in that field too.
   */
  readonly isWrapped?: true
}

export type TrpcOutcome = TrpcSuccess | TrpcRefusal

/**
 * An outcome whose parts are already JSON text. Each outcome is converted separately, so a value that cannot be written
 * as JSON fails only its own call.
 */
export type SerializedOutcome =
  | { readonly ok: true; readonly status: 200; readonly data: string | undefined; readonly cursor: string }
  | SerializedRefusal

export interface SerializedRefusal {
  readonly ok: false
  readonly status: number
  readonly error: string
  readonly headers: Readonly<Record<string, string>>
}

export const refuseWith = (
  code: TrpcCode,
  message: string,
  rest: Pick<TrpcRefusal, "headers" | "httpStatus"> = {}
): TrpcRefusal => ({ ok: false, code, message, ...rest })

/** The answer to an unexpected failure. It never contains the message of the exception. */
export const internalErrorRefusal = refuseWith("INTERNAL_SERVER_ERROR", "Internal server error")

const errorText = (refusal: TrpcRefusal, status: number, path: string | undefined): string => {
  const error = {
    message: refusal.message,
    code: trpcCodes[refusal.code].jsonRpc,
    data: { ...refusal.data, code: refusal.code, httpStatus: status, path }
  }
  return JSON.stringify(refusal.isWrapped === true ? { ...error, json: error } : error)
}

/** Returns the JSON text of the refusal. `path` is absent if the call failed before its procedure was known. */
export const serializeRefusal = (refusal: TrpcRefusal, path?: string): SerializedRefusal => {
  const status = refusal.httpStatus ?? trpcCodes[refusal.code].http
  return { ok: false, status, error: errorText(refusal, status, path), headers: refusal.headers ?? {} }
}

/**
 * Returns the JSON text of the field with the cursor. The field stands beside `data`, and clients that do not know the
 * field ignore it.
 */
const cursorText = (nextCursor: string | undefined): string =>
  nextCursor === undefined ? "" : `,"nextCursor":${JSON.stringify(nextCursor)}`

/**
 * Returns the JSON text of the outcome. `path` is absent if the call failed before its procedure was known. Never
 * throws.
 */
export const serializeOutcome = (outcome: TrpcOutcome, path?: string): SerializedOutcome => {
  try {
    // `JSON.stringify` returns undefined for undefined and for functions, although its declared return type is string.
    if (outcome.ok) {
      const { data, nextCursor, refuseLength } = outcome
      const text: string | undefined = JSON.stringify(data)
      const refusal = refuseLength?.(text?.length ?? 0)
      if (refusal !== undefined) return serializeRefusal(refusal, path)
      return { ok: true, status: 200, data: text, cursor: cursorText(nextCursor) }
    }
    return serializeRefusal(outcome, path)
  } catch {
    // The value has a cycle, a bigint or a `toJSON` that throws. This is a bug of the procedure, so the client gets the
    // same answer as for any other exception.
    return serializeRefusal(internalErrorRefusal, path)
  }
}

/** Returns the JSON text for the outcome of one call. Answers that are streams have another form. */
export const envelope = (settled: SerializedOutcome): string => {
  if (!settled.ok) return `{"error":${settled.error}}`
  return settled.data === undefined ? `{"result":{}}` : `{"result":{"data":${settled.data}${settled.cursor}}}`
}

/** Returns the status of a batch: the common status of all calls, or 207 if the calls have different statuses. */
export const statusOfBatch = (settled: ReadonlyArray<SerializedOutcome>): number => {
  const statuses = new Set(settled.map((one) => one.status))
  const [only] = statuses
  return statuses.size === 1 && only !== undefined ? only : 207
}
