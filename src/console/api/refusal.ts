/** A failed call in one form, over REST or as a procedure. The pod refused the call, or the call got no answer. */
import { TRPCClientError } from "@trpc/client"
import type { AppRouter } from "../../../types/app-router.d.ts"

/** What is wrong with one field of an input that the pod refused. */
export interface Fault {
  readonly path: string
  readonly message: string
}

/**
 * The call that failed. `operation` is the method and the path of a REST call, or the name of a procedure. `objectId`
 * is the id of the object that the call is about.
 */
export interface Attempt {
  readonly operation: string
  readonly objectId?: string | undefined
}

export class Refusal extends Error {
  override readonly name = "Refusal"
  /** The HTTP status of the answer. 0 if the console could not reach the pod. */
  readonly status: number
  /** The code of the cause for programs, such as `FORBIDDEN`. Empty if the answer has no code. */
  readonly code: string
  /**
   * The path of the page that explains the cause. The path is below the root of the pod. Undefined if the console could
   * not reach the pod.
   */
  readonly docs: string | undefined
  readonly requestId: string | undefined
  readonly faults: ReadonlyArray<Fault>
  /** The whole body of the answer. */
  readonly body: Readonly<Record<string, unknown>>
  /** The call that the pod refused. Undefined if the call is not known. */
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
 * Finds the abort of a call that the console no longer needs. The tRPC client wraps the abort in an error of its own.
 * Undefined for every other failure.
 */
const abortIn = (failure: unknown): DOMException | undefined => {
  const cause = failure instanceof TRPCClientError ? failure.cause : failure
  return cause instanceof DOMException && cause.name === "AbortError" ? cause : undefined
}

/**
 * Turns the failure of a call into a `Refusal`. A failure without an answer from the pod gets the status 0. If the
 * console itself aborted the call, throws the abort again.
 */
export const refusalOf = (failure: unknown, attempt?: Attempt): Refusal => {
  if (failure instanceof Refusal) return failure
  const abort = abortIn(failure)
  if (abort !== undefined) throw abort
  if (failure instanceof TRPCClientError) {
    // `instanceof` does not know the router. The only client of this console has this router.
    const { data, message } = failure as TRPCClientError<AppRouter>
    if (data !== undefined && data !== null) {
      const body = { ...data, code: data.reason ?? data.code, error: message }
      return new Refusal(data.httpStatus, body, undefined, attempt)
    }
  }
  return new Refusal(0, { error: unreachable })
}
