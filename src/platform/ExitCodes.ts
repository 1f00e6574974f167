/** The exit codes by which a supervisor or script can tell why the pod stopped. */

interface ExitCode {
  readonly code: number
  readonly meaning: string
}

/**
 * The codes 4 to 6, 9 and 10 are reserved for the command line client, which uses them to report the answer of the pod.
 * The codes 2, 3 and 12 to 14 mean the same in the client as here.
 */
export const exitCodeTable = {
  stopped: { code: 0, meaning: "The pod stopped on request, after the running calls had finished." },
  unexpected: { code: 1, meaning: "An unexpected error; the log has the details." },
  badUsage: { code: 2, meaning: "An argument is unknown; the pod did not start." },
  badSettings: {
    code: 3,
    meaning:
      "Settings are wrong, and the output lists all of them; or the data directory, a secret or the port of the settings cannot be used. The pod did not start."
  },
  directoryLocked: { code: 7, meaning: "Another process uses the data directory." },
  databaseUnreachable: {
    code: 8,
    meaning: "PostgreSQL cannot be reached or refuses the login; trying again later may help."
  },
  dataUnfit: {
    code: 12,
    meaning:
      "The data is incomplete: a part of the database or a secret is missing, an import or a restore has not ended, or the backup before a migration could not be made; nothing was changed."
  },
  schemaUnknown: {
    code: 13,
    meaning:
      "A newer version of the pod made the database, or a migration was edited after it had been applied; nothing was changed."
  },
  dataDamaged: {
    code: 14,
    meaning: "The files of the embedded database are damaged and need a backup; nothing was changed."
  },
  interrupted: { code: 130, meaning: "A second interrupt ended the pod before its calls had finished." }
} as const satisfies Record<string, ExitCode>

const codes = Object.fromEntries(Object.entries(exitCodeTable).map(([name, { code }]) => [name, code]))

/** The number of each exit code by its name, for `process.exitCode`. */
export const exitCodes = codes as {
  // The code makes this object from all entries of `exitCodeTable`, so every name has its code and the cast is safe.
  readonly [Name in keyof typeof exitCodeTable]: (typeof exitCodeTable)[Name]["code"]
}
