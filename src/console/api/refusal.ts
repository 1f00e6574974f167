/** A refusal or failure that the pod answered, in one shape for every surface. */
import { TRPCClientError } from "@trpc/client"
import type { AppRouter } from "../../../types/app-router.d.ts"

/** What is wrong with one field of an input that the pod refused. */
export interface Fault {
  readonly path: string
  readonly message: string
}

/** A call that failed: a method and a path or the name of a procedure, and the object that it was about. */
export interface Attempt {
  readonly operation: string
  readonly objectId?: string | undefined
}

export class Refusal extends Error {
  override readonly name = "Refusal"
  /** HTTP status; 0 if the pod was not reached. */
  readonly status: number
  /** Code of the cause, for programs, such as `FORBIDDEN`; empty if the answer names no code. */
  readonly code: string
  /** Path of the page that explains the cause, below the root of the pod; absent if the pod was not reached. */
  readonly docs: string | undefined
  readonly requestId: string | undefined
  readonly faults: ReadonlyArray<Fault>
  /** The whole body of the answer. */
  readonly body: Readonly<Record<string, unknown>>
  /** What was refused. Undefined if it is not known. */
  readonly attempt: Attempt | undefined

  constructor(status: number, body: Readonly<Record<string, unknown>>, requestId?: string, attempt?: Attempt) {
    super(sentenceOf(body, status))
    this.status = status
    this.body = body
    this.code = textOf(body["code"]) ?? textOf(body["reason"]) ?? ""
    this.docs = textOf(body["docs"])
    this.requestId = textOf(body["requestId"]) ?? requestId
    this.attempt = attempt
    this.faults = faultsOf(body["details"])
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const sentenceOf = (body: Readonly<Record<string, unknown>>, status: number): string => {
  const { error, message } = body
  const within = isRecord(error) ? textOf(error["message"]) : undefined
  return textOf(message) ?? within ?? textOf(error) ?? `The pod answered ${status} without a reason.`
}

const faultsOf = (details: unknown): ReadonlyArray<Fault> =>
  Array.isArray(details)
    ? details.flatMap((each: unknown) =>
        isRecord(each) ? [{ path: textOf(each["path"]) ?? "", message: textOf(each["message"]) ?? "" }] : []
      )
    : []

const unreachable = "The pod did not answer. Is it running, and is the network up?"

/**
 * The abort of a call that the console no longer needs; undefined for every other failure. The tRPC client wraps the
 * abort in an error of its own.
 */
const abortIn = (failure: unknown): DOMException | undefined => {
  const cause = failure instanceof TRPCClientError ? failure.cause : failure
  return cause instanceof DOMException && cause.name === "AbortError" ? cause : undefined
}

/**
 * Turns any failure of a call into a refusal. A failure without an answer of the pod gets the status 0. An abort is no
 * failure of the pod: it is thrown again.
 */
export const refusalOf = (failure: unknown, attempt?: Attempt): Refusal => {
  if (failure instanceof Refusal) return failure
  const abort = abortIn(failure)
  if (abort !== undefined) throw abort
  if (failure instanceof TRPCClientError) {
    const { data, message } = failure as TRPCClientError<AppRouter>
    if (data !== undefined && data !== null) {
      const body = { ...data, code: data.reason ?? data.code, error: message }
      return new Refusal(data.httpStatus, body, undefined, attempt)
    }
  }
  return new Refusal(0, { error: unreachable })
}
