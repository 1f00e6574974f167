/**
 * Decides what happens after an unexpected error in a call. The pod runs the call again, or answers with `Unavailable`,
 * or logs the error and answers with `Broken`.
 */
import { SqlError } from "@effect/sql"
import { Cause, Effect } from "effect"
import { classify, sqlStateOf, sqlStates, writeFaultOf, type WriteFault } from "../platform/Database.ts"
import { codeOf } from "../platform/ErrorCode.ts"
import { ShareUsedUp, TurnTooLate } from "../platform/FairShare.ts"
import { uuidv7 } from "../platform/Ids.ts"
import { resultBytesMax, ResultTooLarge } from "../platform/ResultSize.ts"
import { AuthorityLost } from "./Authority.ts"
import { Broken, type Failure, type Invalid, invalid, Unavailable } from "./Failure.ts"

export const unavailable = new Unavailable({
  why: "The pod cannot reach its database right now. Try again shortly.",
  retryAfterSeconds: 1
})

/** The answers to writes while the database cannot store anything. Reads still work. */
export const writesRefused: Readonly<Record<WriteFault, Unavailable>> = {
  diskFull: new Unavailable({
    why: "The disk of the database is full, so the pod can store nothing right now. Try again when the operator has freed space on the disk.",
    retryAfterSeconds: 10
  }),
  readOnly: new Unavailable({
    why: "The database accepts only reads right now, and no writes. Try again later.",
    retryAfterSeconds: 10
  })
}

const shareUsedUp = new Unavailable({
  why: "This credential already has as many costly calls as it may have at the same time. Try again when one of them has ended.",
  retryAfterSeconds: 2
})

const turnTooLate = new Unavailable({
  why: "The pod is busy: this call waited too long for its turn at the database. Try again later.",
  retryAfterSeconds: 2
})

const tookTooLong = new Unavailable({
  why: "The database did not answer within the time that a call may take. Ask for less, or try again later.",
  retryAfterSeconds: 10
})

// This is not `Unavailable`, because the same call would fail again.
const askedForTooMuch = invalid(
  "",
  `The records that the call asks for have more than ${resultBytesMax / 1024 ** 2} MB together. Ask for fewer at once, for example with a smaller \`limit\`.`
)

/** Returns the answer for a failure of the database. */
export const databaseUnavailable = (error: SqlError.SqlError): Unavailable => {
  if (error.cause instanceof ShareUsedUp) return shareUsedUp
  if (error.cause instanceof TurnTooLate) return turnTooLate
  if (sqlStateOf(error) === sqlStates.cancelled) return tookTooLong
  const fault = writeFaultOf(error)
  return fault === undefined ? unavailable : writesRefused[fault]
}

/**
 * Returns the code of a database failure, such as `53100` or `ECONNREFUSED`. The log gets this code instead of a stack
 * trace.
 */
const codeNote = ({ cause }: SqlError.SqlError): string => {
  const code = codeOf(cause)
  return code === undefined ? "" : ` (${code})`
}

/**
 * Makes the answer to a call that failed because of the database, and writes one line to the log, without a stack
 * trace. If the call only asked for too much, the log gets no line.
 */
const refusedByDatabase = (cause: Cause.Cause<unknown>): Effect.Effect<Invalid | Unavailable> => {
  const failures = [...Cause.defects(cause)].filter((defect) => defect instanceof SqlError.SqlError)
  if (failures.some((one) => one.cause instanceof ResultTooLarge)) return Effect.succeed(askedForTooMuch)
  // After a failed transaction, its rollback can fail too. The failure that says why the database cannot write is the
  // real reason.
  const failure = failures.find((one) => writeFaultOf(one) !== undefined) ?? failures[0]
  const answer = failure === undefined ? unavailable : databaseUnavailable(failure)
  const code = failure === undefined ? "" : codeNote(failure)
  return Effect.as(Effect.logWarning(`Calls are answered with 503: ${answer.why}${code}`), answer)
}

/**
 * What kind of defect ended a call. After `authorityLost` and `retry` nothing is committed, so the call can run again.
 */
export type Diagnosis = "authorityLost" | "retry" | "unavailable" | "broken"

/**
 * Finds the kind of a defect. The kind is `broken` if the defect comes neither from the check of the credential nor
 * from the database.
 */
export const diagnose = (cause: Cause.Cause<unknown>): Diagnosis => {
  for (const defect of Cause.defects(cause)) {
    if (defect instanceof AuthorityLost) return "authorityLost"
    if (defect instanceof SqlError.SqlError) return classify(defect)
  }
  return "broken"
}

/** Logs the cause under a new id. Returns the failure for the caller, which holds only this id. */
export const logInternalError = (
  cause: Cause.Cause<unknown>,
  operation: string,
  requestId: string
): Effect.Effect<Failure> => {
  const errorId = uuidv7()
  return Effect.as(
    Effect.logError("call failed", cause).pipe(Effect.annotateLogs({ errorId, operation, requestId })),
    new Broken({ errorId })
  )
}

/**
 * Writes an unexpected error to the log, and returns the failure for the caller: `Invalid` if the call asked the
 * database for too much, `Unavailable` if another error comes from the database, and otherwise `Broken`.
 */
export const failureOfDefect = (
  cause: Cause.Cause<unknown>,
  operation: string,
  requestId: string
): Effect.Effect<Failure> =>
  diagnose(cause) === "broken" ? logInternalError(cause, operation, requestId) : refusedByDatabase(cause)
