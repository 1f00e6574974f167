/** The reason why an export, an import, a backup or a restore was refused, as one sentence for the operator. */
import { SqlError } from "@effect/sql"
import { Data, Effect } from "effect"
import { systemCode, unwritableReason } from "../platform/FileReasons.ts"
import { TarFault } from "../platform/Tar.ts"

/**
 * `file`: the file has changed since it was written, or cannot be used. `target`: the data cannot be written to the
 * given place now. `disk`: the system cannot read or write a file. `missing`: something that the caller names does not
 * exist.
 */
export class TransferRefused extends Data.TaggedError("TransferRefused")<{
  readonly reason: "file" | "target" | "disk" | "missing"
  readonly message: string
}> {}

export const refuse = (reason: TransferRefused["reason"], message: string): never => {
  throw new TransferRefused({ reason, message })
}

/** One progress report of an export, an import, a backup or a restore. */
export interface Step {
  /** The work, such as `export`. */
  readonly what: string
  /** The kind of record on which the work is now, in words. Undefined if the work does not go from kind to kind. */
  readonly now?: string
  readonly done: number
  /** 0 while the total is not known. */
  readonly total: number
  /** What `done` and `total` count. */
  readonly unit: "rows" | "parts"
}
export type Progress = (step: Step) => void
export const noProgress: Progress = () => undefined

class UnexpectedFailure extends Data.TaggedError("UnexpectedFailure")<{ readonly cause: unknown }> {}

/**
 * Returns true for an error of an SQL statement and for an error of the operating system, and false for any other
 * error. The drivers of both database engines set `code` on these errors. For a statement, `code` is the SQLSTATE.
 * Otherwise it is the error code of the system.
 */
const isStatementFailure = (cause: unknown): cause is Error =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string"

const translateFailure = (cause: unknown): TransferRefused | SqlError.SqlError | UnexpectedFailure => {
  if (cause instanceof TransferRefused || cause instanceof SqlError.SqlError) return cause
  if (cause instanceof TarFault) {
    return new TransferRefused({ reason: cause.of === "name" ? "disk" : "file", message: cause.message })
  }
  if (systemCode(cause) !== undefined) {
    const path = cause instanceof Error && "path" in cause && typeof cause.path === "string" ? ` (${cause.path})` : ""
    // The system reports the same error for a missing file and for a new file whose folder is missing.
    if (systemCode(cause) === "ENOENT" && path !== "") {
      const message = `This file or its folder does not exist${path}.`
      return new TransferRefused({ reason: "missing", message })
    }
    return new TransferRefused({
      reason: "disk",
      message: `This file cannot be used${path}: ${unwritableReason(cause)}.`
    })
  }
  return isStatementFailure(cause)
    ? new SqlError.SqlError({ cause, message: cause.message })
    : new UnexpectedFailure({ cause })
}

/**
 * Runs asynchronous code as an Effect. Refusals, and errors of files and SQL statements, become typed failures. All
 * other errors become defects.
 */
export const attempt = <A>(run: (signal: AbortSignal) => Promise<A>) =>
  Effect.catchTag(Effect.tryPromise({ try: run, catch: translateFailure }), "UnexpectedFailure", ({ cause }) =>
    Effect.die(cause)
  )
