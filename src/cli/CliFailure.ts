/** The failures of the command line: each has an exit code, a text, and what to do next. */
import { Data } from "effect"
import { exitCodes, exitCodeTable } from "../platform/ExitCodes.ts"

/**
 * The exit codes of the commands, by name. `pod start` has the exit codes of the server instead
 * (platform/ExitCodes.ts).
 */
export const cliExitTable = {
  done: {
    code: 0,
    meaning: "The command succeeded. This includes a write that became a proposal (`data.status` is `proposed`)."
  },
  unexpected: { code: 1, meaning: "An unexpected error of the command or the pod." },
  badUsage: { code: 2, meaning: "An argument or the content is wrong, or the command cannot ask and needs `--yes`." },
  badConfiguration: { code: 3, meaning: "Settings, or a file with credentials, are wrong." },
  notSignedIn: { code: 4, meaning: "Nobody is signed in, or the key or session is not valid (401)." },
  refused: { code: 5, meaning: "The pod refused the call (403)." },
  notFound: { code: 6, meaning: "There is no such record, or you have no access to it." },
  conflict: {
    code: 7,
    meaning: "Conflict: somebody has changed the record, or another process uses the data directory."
  },
  unreachable: { code: 8, meaning: "The pod cannot be reached, or did not answer in time. Trying again might help." },
  rateLimited: { code: 9, meaning: "Too many calls. Trying again later helps." },
  waiting: { code: 10, meaning: "With `--require-applied`: the write waits for approval." },
  // If a command itself opens the database and cannot use it, the command ends with the exit codes of the server for
  // this case.
  dataUnfit: exitCodeTable.dataUnfit,
  schemaUnknown: exitCodeTable.schemaUnknown,
  dataDamaged: exitCodeTable.dataDamaged,
  interrupted: { code: 130, meaning: "Interrupted with Ctrl-C." }
} as const

export type CliExit = keyof typeof cliExitTable

export class CliFailure extends Data.TaggedError("CliFailure")<{
  readonly exit: CliExit
  /** A stable name for programs, such as `UNREACHABLE`, or the code in the answer of the pod. */
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly requestId?: string | undefined
  /** True if the same command can succeed later without a change. */
  readonly retryable?: boolean
  /** The code that the operating system gave to a failed connection, such as `EACCES`. */
  readonly systemCode?: string | undefined
  /** The fields of the input that the pod found faults in, such as `profileSlug`. */
  readonly faultyFields?: ReadonlyArray<string>
}> {}

export const badUsage = (message: string, hint?: string): CliFailure =>
  new CliFailure({ exit: "badUsage", code: "BAD_USAGE", message, hint })

export const badConfiguration = (message: string, hint?: string): CliFailure =>
  new CliFailure({ exit: "badConfiguration", code: "BAD_CONFIGURATION", message, hint })

const codesOfData = {
  dataUnfit: "DATA_UNFIT",
  schemaUnknown: "SCHEMA_UNKNOWN",
  dataDamaged: "DATA_DAMAGED"
} as const

/** Returns the failure for a database that cannot be used until a person does something. */
export const unusableData = (exit: keyof typeof codesOfData, message: string): CliFailure =>
  new CliFailure({ exit, code: codesOfData[exit], message })

/** Returns the failure of the command line for an exit code of the server that says what is wrong with the database. */
export const dataFailureOf = (code: number, message: string): CliFailure | undefined => {
  for (const exit of ["dataUnfit", "schemaUnknown", "dataDamaged"] as const) {
    if (code === exitCodes[exit]) return unusableData(exit, message)
  }
  return undefined
}

export const notFound = (message: string, hint?: string): CliFailure =>
  new CliFailure({ exit: "notFound", code: "NOT_FOUND", message, hint })

/** Makes the JSON object for a failure. A command with JSON output writes this object to stderr. */
export const envelopeOf = ({ code, hint, message, requestId, retryable }: CliFailure): string =>
  JSON.stringify({
    error: { code, message, hint: hint ?? null, requestId: requestId ?? null, retryable: retryable ?? false }
  })
